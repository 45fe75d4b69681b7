"""The files of a release folder, from protected things alone, and the same files as one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpviz.drawing.map_page import map_page
from dpviz.errors import NotOffered, UnledgeredRelease
from dpviz.labels.privacy_label import privacy_label
from dpviz.questions.counts import view_by_time
from dpviz.releases import document, tables
from dpviz.releases.cell_tables import cell_files, end_files
from dpviz.releases.proof_page import PROOF, proof_of
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.spreadsheets import csv_text
from dpviz.releases.status import PREVIEW, REDRAWN
from dpviz.releases.store import write_folder

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say: the same release is the same file


def folder_files(outcome: Release | NoAnswer, *, basemap: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Every file of the release folder, by name; release.json, which lists the checksums of the others, comes last."""
    if outcome.status == PREVIEW:
        raise UnledgeredRelease(
            "a preview is for the curator's eyes and is never stored or exported; publish the request instead: "
            "dpviz.publish(dataset, preview.request) makes a fresh, charged draw.",
            status=outcome.status,
        )
    if outcome.status == REDRAWN:
        raise UnledgeredRelease(
            "a redrawn release is synthetic and never stored or exported; save the release that it was drawn around.",
            status=outcome.status,
        )
    if not isinstance(outcome, NoAnswer) and outcome.when and outcome.loaded_files is None:
        raise UnledgeredRelease(
            f"{outcome.when} is a part of a release and is never stored alone; save the release that it is of.",
            status=outcome.status,
        )
    if outcome.loaded_files is not None:
        return dict(outcome.loaded_files)
    files = {} if isinstance(outcome, NoAnswer) else _point_files(outcome, basemap)
    files["PRIVACY.md"] = privacy_label(outcome).encode("utf-8")
    files[PROOF] = proof_of(outcome.method).encode("utf-8")
    files[document.DOCUMENT] = document.document_bytes(outcome, files)
    return files


def save_folder(outcome: Release | NoAnswer, folder: str | Path, *, basemap: Mapping[str, Any] | None = None) -> Path:
    """Write the release folder, whole or not at all. Previews refuse: they are for the curator's eyes."""
    return write_folder(Path(folder), folder_files(outcome, basemap=basemap))


def zip_folder(outcome: Release | NoAnswer, *, basemap: Mapping[str, Any] | None = None) -> bytes:
    """The release folder as one zip file, the same bytes every time."""
    return zipped(folder_files(outcome, basemap=basemap))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """All files in one zip, without the time or the machine of its making."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=_ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return out.getvalue()


def _point_files(release: Release, basemap: Mapping[str, Any] | None) -> dict[str, bytes]:
    if release.request.parts is not None:
        return _sheet_files(release)
    parts = {"centers": tables.columns_of(release.frame, release.raw_centers, release.center_weights)}
    if release.raw_coreset is not None and release.coreset_weights is not None:
        parts["coreset"] = tables.columns_of(
            release.frame, release.raw_coreset, release.coreset_weights, release.coreset_variances
        )
    files: dict[str, bytes] = {}
    for name, columns in parts.items():
        files[f"{name}.csv"] = tables.csv_bytes(columns)
        places = tables.geojson_bytes(release.frame, columns)
        if places is not None:
            files[f"{name}.geojson"] = places
        if name == "coreset":
            files["coreset.parquet"] = tables.parquet_bytes(columns, release.frame)
    if release.protected_cells is not None:
        files |= cell_files(release.protected_cells)
    if release.protected_ends is not None:
        files |= end_files(release.protected_ends)
    files["map.html"] = map_page(release, basemap=basemap).encode("utf-8")
    return files


def _sheet_files(release: Release) -> dict[str, bytes]:
    """Of all hours, weekdays … in one release: what was measured, centers of every part, a page that plays them.

    The points of the sheet itself lie on no map, so they are kept as the tables that the release is read from alone.
    """
    from dpviz.drawing.film import film_of

    centers = tables.columns_of(release.frame, release.raw_centers, release.center_weights)
    files = {"centers.csv": tables.csv_bytes(centers)}
    if release.raw_coreset is not None and release.coreset_weights is not None:
        coreset = tables.columns_of(
            release.frame, release.raw_coreset, release.coreset_weights, release.coreset_variances
        )
        files |= {
            "coreset.csv": tables.csv_bytes(coreset),
            "coreset.parquet": tables.parquet_bytes(coreset, release.frame),
        }
    if release.protected_cells is not None:
        files |= cell_files(release.protected_cells)
    files["centers-by-time.csv"] = centers_by_time(release)
    files["map.html"] = film_of(release)
    return files


_HEADER = ("part", "center", "lon", "lat", "weight")


def centers_by_time(release: Release) -> bytes:
    """centers-by-time.csv: the best k centers of every part, heaviest first; no rows where parts cannot be told."""
    try:
        view = view_by_time(release)
    except NotOffered:
        return csv_text(_HEADER, ()).encode("utf-8")
    rows: list[tuple[str, int, float, float, float]] = []
    for number, name in enumerate(view.parts.names):
        table = view.centers(number, release.request.k).sort_values("weight", ascending=False, kind="stable")
        rows += [
            (name, at, lon, lat, weight)
            for at, (lon, lat, weight) in enumerate(table.to_numpy(dtype=float).tolist(), start=1)
        ]
    return csv_text(_HEADER, rows).encode("utf-8")
