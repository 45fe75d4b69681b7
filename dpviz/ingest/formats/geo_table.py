"""Files that GDAL reads through pyogrio: Excel, GeoPackage, Shapefile (also zipped), KML and KMZ, FlatGeobuf.

GDAL receives only files whose kind their content shows, and may open no address.
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

import pyarrow as pa

from dpviz.basemap.extracts import refuse_name, refuse_pointers, shut_network
from dpviz.errors import FileError, InputError, extra_needed, show_name
from dpviz.ingest.batches import BATCH_ROWS, Batch, FileTable, Part, Wanted
from dpviz.ingest.conversions import is_degrees
from dpviz.ingest.formats.kinds import KINDS
from dpviz.ingest.sources import Place

_GEOMETRY = ""  # a name that no field has


class GeoTable(FileTable):
    """One layer of such a file, or one sheet of a workbook. Its geometry is the columns `geometry.x`, `geometry.y`."""

    def __init__(self, place: Place, kind: str) -> None:
        super().__init__(place, kind)
        with self._named() as path:
            self._layer = self._chosen_layer(path)
            with _told(self.label):
                facts = _library().read_info(path, layer=self._layer)
        self.rows = max(int(facts["features"]), 0)
        if facts["geometry_type"] is not None:
            self.points = {"geometry.x": (_GEOMETRY, 0), "geometry.y": (_GEOMETRY, 1)}
            self.geometry = ("geometry.x", "geometry.y")
        self.names = (*(str(name) for name in facts["fields"]), *self.points)
        system = str(facts["crs"] or "")
        if system and not is_degrees(system) and not system.startswith(("GEOGCRS", "GEOGCS")):
            self.crs = system

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        fields = [name for name in self.stored(wanted) if name != _GEOMETRY]
        seen = 0
        with self._named() as path, _told(self.label):
            options = {"layer": self._layer, "columns": fields, "batch_size": BATCH_ROWS, "use_pyarrow": True}
            with _library("raw").open_arrow(path, read_geometry=bool(self.points), **options) as (facts, reader):
                point = facts["geometry_name"] or "wkb_geometry"
                for piece in reader:
                    seen += piece.num_rows
                    named = piece.rename_columns([_GEOMETRY if name == point else name for name in piece.schema.names])
                    yield self.batch(named.column, piece.num_rows, wanted, seen / max(self.rows, 1))
        if seen < self.rows:
            raise FileError(f"{self.label} is cut off: it promises more rows than it holds. Copy it again.")

    def _chosen_layer(self, path: str) -> str:
        with _told(self.label):
            layers = [str(name) for name, _ in _library().list_layers(path)]
        wanted = self.place.layer
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
        path = self.place.path
        if path is not None:
            refuse_pointers(Path(path), self.label)
            if self.kind == "shapefile":
                refuse_name(Path(path))
        ending = next(kind.endings[0] for kind in KINDS if kind.name == self.kind)
        is_plain = path is not None and path.lower().endswith(ending) and "!" not in path and ";" not in path
        if path is not None and (self.kind == "shapefile" or is_plain):
            yield path if not zipfile.is_zipfile(path) or self.kind != "shapefile" else _zipped(path)
            return
        in_memory = Path("/dev/shm")
        folder = in_memory if in_memory.is_dir() and os.access(in_memory, os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="dpviz-", dir=folder) as private:
            with self.place.open() as stream:
                content = stream.read()
            zipped = self.kind == "shapefile" and content.startswith(b"PK")
            copy = Path(private) / ("file.zip" if zipped else f"file{ending}")
            copy.write_bytes(content)
            refuse_pointers(copy, self.label)
            yield _zipped(str(copy)) if zipped else str(copy)


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
