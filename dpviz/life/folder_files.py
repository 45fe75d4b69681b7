"""The files of a release folder, from protected things alone, and the same files as one zip."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

from dpviz.drawing.map_page import map_page
from dpviz.errors import NotOffered, UnledgeredRelease
from dpviz.labels.privacy_label import privacy_label
from dpviz.questions.counts import view_parts
from dpviz.releases import document, tables
from dpviz.releases.document import PACKAGE, PROOF, proof_of
from dpviz.releases.release import PREVIEW, REDRAWN, NoAnswer, Release
from dpviz.releases.spreadsheets import csv_text
from dpviz.releases.store import write_folder
from dpviz.releases.tables import cell_files, end_files

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet",
    ".geojson": "application/geo+json",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
}
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
    files[PACKAGE] = data_package(outcome, files)
    files[document.DOCUMENT] = document.document_bytes(outcome, files)
    return files


def data_package(outcome: Release | NoAnswer, files: Mapping[str, bytes]) -> bytes:
    """datapackage.json: the files as a Frictionless data package, with the columns of every table of text."""
    about = outcome.about
    resources = []
    for name, content in sorted(files.items()):
        kind = PurePath(name).suffix.removeprefix(".")
        one: dict[str, Any] = {"name": name.lower(), "path": name, "format": kind, "mediatype": MEDIA_TYPES[f".{kind}"]}
        one |= {"bytes": len(content), "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
        if kind == "csv":
            heads = next(csv.reader(io.StringIO(content.decode("utf-8"))))
            fields = [{"name": head, "type": "string" if head == "part" else "number"} for head in heads]
            one |= {"profile": "tabular-data-resource", "encoding": "utf-8", "schema": {"fields": fields}}
        resources.append(one)
    package: dict[str, Any] = {
        "profile": "data-package",
        "name": f"release-{outcome.id[:8]}",
        "id": outcome.id,
        "title": str(about.get("title") or f"Private coreset of {outcome.dataset or 'a dataset without a name'}"),
        "description": "\n".join(filter(None, [str(about.get("description", "")), str(outcome.guarantee)])),
    }
    if about.get("licence"):
        package["licenses"] = [{"name": str(about["licence"])}]
    if about.get("publisher"):
        package["contributors"] = [{"title": str(about["publisher"]), "role": "publisher"}]
    return (json.dumps(package | {"resources": resources}, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def save_folder(outcome: Release | NoAnswer, folder: str | Path, *, basemap: Mapping[str, Any] | None = None) -> Path:
    """Write the release folder, whole or not at all. Previews refuse: they are for the curator's eyes."""
    return write_folder(Path(folder), folder_files(outcome, basemap=basemap))


def zip_folder(outcome: Release | NoAnswer, *, basemap: Mapping[str, Any] | None = None) -> bytes:
    """The release folder as one zip file that unpacks into a folder of its own, the same bytes every time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, held in sorted(folder_files(outcome, basemap=basemap).items()):
            entry = zipfile.ZipInfo(f"release-{outcome.id[:8]}/{name}", date_time=_ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # without the machine of its making
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, held)
    return out.getvalue()


def _point_files(release: Release, basemap: Mapping[str, Any] | None) -> dict[str, bytes]:
    """Points, cells and the map page. The points of a sheet (several parts of time) lie on no map: they are tables."""
    sheet = release.request.parts is not None
    files: dict[str, bytes] = {}
    for name, columns in tables.point_columns(release).items():
        files[f"{name}.csv"] = tables.csv_bytes(columns)
        if not sheet and (places := tables.geojson_bytes(release.frame, columns)) is not None:
            files[f"{name}.geojson"] = places
        if name == "coreset":
            files["coreset.parquet"] = tables.parquet_bytes(columns, release.frame)
    if release.protected_cells is not None:
        files |= cell_files(release.protected_cells)
    if release.protected_ends is not None:
        files |= end_files(release.protected_ends)
    if sheet:
        from dpviz.drawing.film import film_of

        return files | {"centers-by-time.csv": centers_by_time(release), "map.html": film_of(release)}
    return files | {"map.html": map_page(release, basemap=basemap).encode("utf-8")}


_TIME_COLUMNS = ("part", "center", "lon", "lat", "weight")


def centers_by_time(release: Release) -> bytes:
    """centers-by-time.csv: the best k centers of every part, heaviest first; no rows where parts cannot be told."""
    try:
        view = view_parts(release)
    except NotOffered:
        return csv_text(_TIME_COLUMNS, ()).encode("utf-8")
    rows: list[tuple[Any, ...]] = []
    for number, name in enumerate(view.parts.names):
        table = view.centers(number, release.request.k).sort_values("weight", ascending=False, kind="stable")
        rows += [(name, at, *center) for at, center in enumerate(table.to_numpy(dtype=float).tolist(), start=1)]
    return csv_text(_TIME_COLUMNS, rows).encode("utf-8")
