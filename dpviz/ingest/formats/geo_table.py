"""Files that GDAL reads: Excel workbooks, GeoPackage, Shapefile (also zipped), KML and KMZ, FlatGeobuf.

Through pyogrio, which the extra `geo` brings. Which of them a file is decides its content (see `kinds`), never its
name; GDAL is given nothing else, and may open no address.
"""

from __future__ import annotations

import importlib
import os
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.basemap.map_files import refuse_name, refuse_pointers, shut_network
from dpviz.errors import FileError, InputError, extra_needed, show_name
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of, person_keys
from dpviz.ingest.crs import is_degrees
from dpviz.ingest.formats.kinds import ENDINGS
from dpviz.ingest.formats.parquet_table import well_known_point
from dpviz.ingest.sources import Place


class GeoTable:
    """One layer of such a file, or one sheet of a workbook. Its geometry is the columns `geometry.x`, `geometry.y`."""

    has_header = True

    def __init__(self, place: Place, kind: str) -> None:
        self.kind = kind
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()
        with self._named() as path:
            self._layer = self._chosen_layer(path)
            with _told(self.label):
                facts = _library().read_info(path, layer=self._layer)
        self.rows = max(int(facts["features"]), 0)
        fields = tuple(str(name) for name in facts["fields"])
        self._with_points = facts["geometry_type"] is not None
        self.names = (*fields, "geometry.x", "geometry.y") if self._with_points else fields
        self.geometry = ("geometry.x", "geometry.y") if self._with_points else None
        self.well_known = {"geometry.x": 0, "geometry.y": 1} if self._with_points else {}
        self.crs: str | None = _system(facts["crs"])

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        fields = [name for name in dict.fromkeys(wanted.all) if name not in self.well_known]
        seen = 0
        with self._named() as path, _told(self.label):
            options = {"layer": self._layer, "columns": fields, "batch_size": BATCH_ROWS, "use_pyarrow": True}
            opened = _library("raw").open_arrow(path, read_geometry=self._with_points, **options)
            with opened as (facts, reader):
                point = facts["geometry_name"] or "wkb_geometry"
                for piece in reader:
                    seen += piece.num_rows
                    axes = tuple(self._numbers(piece, name, point) for name in wanted.columns)
                    keys = None
                    if wanted.person is not None and wanted.hashed is not None:
                        keys = person_keys(piece.column(wanted.person), wanted.hashed, self.label, wanted.person)
                    yield Batch(axes=axes, persons=keys, rows=piece.num_rows, done=min(seen / max(self.rows, 1), 1.0))
        if seen < self.rows:
            raise FileError(f"{self.label} is cut off: it promises more rows than it holds. Copy it again.")

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]

    def _numbers(self, piece: pa.RecordBatch, name: str, point: str) -> NDArray[np.float64]:
        if name in self.well_known:
            return well_known_point(piece.column(point), self.well_known[name])
        return numbers_of(piece.column(name), self.label, name)

    def _chosen_layer(self, path: str) -> str:
        with _told(self.label):
            layers = [str(name) for name, _ in _library().list_layers(path)]
        wanted = self._place.layer
        if wanted is not None and wanted in layers:
            return wanted
        shown = ", ".join(repr(show_name(name)) for name in layers[:20])
        if wanted is not None:
            raise FileError(f"{self.label} has no layer {show_name(wanted)!r}. It has {shown or 'none'}.")
        if len(layers) != 1:
            raise FileError(f"{self.label} has {len(layers)} layers or sheets: {shown}. Say which (layer, --layer).")
        return layers[0]

    @contextmanager
    def _named(self) -> Iterator[str]:
        """A path that GDAL can open; what was uploaded lies meanwhile in a file of its owner's, in memory if it can."""
        path = self._place.path
        if path is not None:
            refuse_pointers(Path(path), self.label)
            if self.kind == "shapefile":
                refuse_name(Path(path))
        if path is not None and (self.kind == "shapefile" or _is_plain(path, ENDINGS[self.kind])):
            yield path if not zipfile.is_zipfile(path) or self.kind != "shapefile" else _zipped(path)
            return
        in_memory = Path("/dev/shm")
        folder = in_memory if in_memory.is_dir() and os.access(in_memory, os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="dpviz-", dir=folder) as private:
            with self._place.open() as stream:
                content = stream.read()
            zipped = self.kind == "shapefile" and content.startswith(b"PK")
            copy = Path(private) / ("file.zip" if zipped else "file" + ENDINGS[self.kind])
            copy.write_bytes(content)
            refuse_pointers(copy, self.label)
            yield _zipped(str(copy)) if zipped else str(copy)


def _is_plain(path: str, ending: str) -> bool:
    return path.lower().endswith(ending) and "!" not in path and ";" not in path


def _zipped(path: str) -> str:
    """The one shapefile of a zip archive, as GDAL names it."""
    with zipfile.ZipFile(path) as archive:
        found = [name for name in archive.namelist() if name.lower().endswith(".shp")]
    if len(found) != 1:
        raise FileError(
            f"the archive holds {len(found)} shapefiles; give one with a single .shp and what belongs to it."
        )
    return f"/vsizip/{{{path}}}/{found[0]}"


def _library(part: str | None = None) -> Any:
    with extra_needed():
        library: Any = importlib.import_module("pyogrio")
        shut_network(library)
        return library if part is None else importlib.import_module(f"pyogrio.{part}")


@contextmanager
def _told(label: str) -> Iterator[None]:
    """What GDAL says about a broken file, in one sentence without its content."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except InputError:
        raise
    except (RuntimeError, ValueError, OSError, pa.ArrowException, UnicodeError):
        raise FileError(
            f"{label} cannot be read: it is damaged, cut off, or parts of it are missing (a shapefile needs its .shx "
            "and .dbf). Copy or export it again.",
            file=label,
        ) from None


def _system(crs: Any) -> str | None:
    if crs is None or is_degrees(str(crs)) or str(crs).startswith(("GEOGCRS", "GEOGCS")):
        return None
    return str(crs)
