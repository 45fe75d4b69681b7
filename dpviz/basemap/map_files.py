"""Check files before GDAL opens them: they must hold their own content and point to no address or other file.

GDAL decides by content, and some of its formats (VRT, WFS, OAPIF, pipelines) are such pointers.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any, Final

from dpviz.errors import FileError, show_name

NO_ADDRESS: Final = {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".no-address"}  # GDAL's own way to the network is shut
_POINTERS: Final = (b"<ogr", b"<vrt", b"<wms", b"<wfs", b"<gdal", b"gdal_streamed_alg", b"gdalg")
_HEAD: Final = 1 << 16
_MOST_MEMBERS: Final = 10_000
_APART: Final = "!;"  # GDAL's libraries take what follows for another file
_BEFORE_ROOT = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>)*", re.DOTALL)


def root_of(text: bytes) -> bytes:
    """The name of the first element of an XML text, in small letters; empty where there is none."""
    start = _BEFORE_ROOT.match(text)
    found = re.match(rb"<([\w.:-]+)", text[start.end() if start else 0 :])
    return found.group(1).lower() if found else b""


def refuse_pointers(path: Path, label: str) -> None:
    """An error where a file, or a member of an archive, tells GDAL to open something else."""
    try:
        heads = _heads(path)
    except (OSError, zipfile.BadZipFile, RuntimeError, ValueError, EOFError):
        return  # what cannot be read is told by who reads it
    texts = [head.partition(b"\0")[0].lower() for head in heads]  # GDAL knows them by what stands before the first NUL
    if any(pointer in text for text in texts for pointer in _POINTERS):
        raise FileError(
            f"{label} points to other files or addresses instead of holding its own content; give the file itself.",
            file=label,
        )


def refuse_name(path: Path) -> None:
    """An error where GDAL would take a part of the name for another file."""
    if set(_APART) & set(str(path)):
        raise FileError(
            f"the path of {show_name(path.name)} holds ! or ;, behind which the map library looks for another file: "
            "rename it."
        )


def shut_network(pyogrio: Any) -> Any:
    """The library, without its own way to the network."""
    pyogrio.set_gdal_config_options(NO_ADDRESS)
    return pyogrio


def _heads(path: Path) -> list[bytes]:
    with open(path, "rb") as file:
        heads = [file.read(_HEAD)]
    if heads[0].startswith(b"PK"):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist()[:_MOST_MEMBERS]:
                with archive.open(member) as part:
                    heads.append(part.read(_HEAD))
    return heads
