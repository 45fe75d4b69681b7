"""Guess which columns hold longitude and latitude from their names alone, never from their content.

A name is cut into words. A word for longitude or latitude makes a candidate; the rest of the name ("pickup") says which
pair it belongs to. If there are several pairs, the user is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.errors import AmbiguousColumns, FileError, show_name

# Per language; written without accents, since names are compared without them.
_LON = {
    "lon", "lng", "long", "longitude", "longitud", "longitudine", "longi",
    "laenge", "lange", "laengengrad", "langengrad", "geolaenge",
    "经度", "經度", "経度", "경도", "долгота",
}  # fmt: skip
_LAT = {
    "lat", "latitude", "latitud", "latitudine", "lati",
    "breite", "breitengrad", "geobreite",
    "纬度", "緯度", "위도", "широта",
}  # fmt: skip
_X = {"x", "xcoord", "xcoordinate", "coordx", "easting"}
_Y = {"y", "ycoord", "ycoordinate", "coordy", "northing"}
_NOISE = {
    "deg", "degree", "degrees", "wgs84", "wgs", "84", "gps", "decimal", "dd", "coord", "coords", "coordinate",
    "geo", "geom", "geometry", "point", "location", "loc", "position", "pos", "centroid", "dec", "en", "de", "in", "of",
}  # fmt: skip
_COUNTING = {
    "count", "counts", "cnt", "weight", "weights", "freq", "frequency", "records", "trips", "ntrips", "numtrips",
    "tripcount", "nrecords", "numrecords", "recordcount", "numberoftrips", "numberofrecords", "pointcount", "npoints",
    "numpoints", "anzahl", "conteo", "conteggio",
}  # fmt: skip
_BEGINNINGS = {
    "start", "end", "stop", "begin", "from", "to", "origin", "orig", "dest", "destination", "src", "source",
    "pickup", "dropoff", "pick", "drop", "pu", "do", "geo", "gps", "home", "work", "user", "station", "map",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A longitude column, a latitude column, and what their names have in common ("pickup", or nothing)."""

    lon: str
    lat: str
    what: str

    def __str__(self) -> str:
        return f"{show_name(self.lon)}, {show_name(self.lat)}"


@dataclass(frozen=True, kw_only=True)
class Guess:
    """What the names of the columns suggest. `lon` and `lat` are None where the user has to say."""

    lon: str | None
    lat: str | None
    candidates: tuple[Pair, ...]
    reason: str

    @property
    def found(self) -> bool:
        return self.lon is not None and self.lat is not None


def guess_columns(names: Sequence[str]) -> Guess:
    """The pair of columns that holds the coordinates, if their names leave no doubt."""
    pairs, how = _pairs(names, _LON, _LAT), "the only pair of longitude and latitude"
    if not pairs:
        pairs, how = _pairs(names, _X, _Y), "named x and y"
    if len(pairs) == 1:
        return Guess(lon=pairs[0].lon, lat=pairs[0].lat, candidates=tuple(pairs), reason=how)
    why = "several pairs of coordinates" if pairs else "no column is named like a longitude and a latitude"
    return Guess(lon=None, lat=None, candidates=tuple(pairs), reason=why)


def counting_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Columns whose whole name says that they count records; "passenger_count" says something else."""
    return tuple(name for name in names if re.sub(r"[\W_]+", "", name.casefold()) in _COUNTING)


def choose_columns(
    label: str, names: Sequence[str], geometry: tuple[str, str] | None, lon: str | None, lat: str | None, header: bool
) -> Guess:
    """The columns that the user named, or those that the kind of file or their names leave no doubt about."""
    if (lon is None) != (lat is None):
        given, missing = ("lon", "lat") if lat is None else ("lat", "lon")
        raise AmbiguousColumns(
            f"{given} is given without {missing}; name both columns, or neither to have them guessed.", candidates=()
        )
    if lon is not None and lat is not None:
        if lon == lat:
            raise AmbiguousColumns(
                f"lon and lat are both {show_name(lon)!r}; name two different columns.", candidates=()
            )
        return Guess(lon=_named(lon, names), lat=_named(lat, names), candidates=(), reason="named by the user")
    if geometry is not None:
        pair = Pair(lon=geometry[0], lat=geometry[1], what="")
        return Guess(lon=pair.lon, lat=pair.lat, candidates=(pair,), reason="the file's own geometry")
    guess = guess_columns(names)
    if guess.found:
        return guess
    shown = ", ".join(repr(show_name(name)) for name in names[:30]) + (" …" if len(names) > 30 else "")
    if guess.candidates:
        listed = "; ".join(str(pair) for pair in guess.candidates[:8])
        raise AmbiguousColumns(
            f"{label} has several pairs of coordinates: {listed}. Say which with lon and lat.",
            candidates=guess.candidates,
            columns=tuple(names),
        )
    if not header:
        raise AmbiguousColumns(
            f"{label} is read without a line of column names. Say which columns with lon and lat, counted from 1, such "
            "as lon='column_1', lat='column_2'.",
            candidates=(),
        )
    if len(names) < 2:
        raise FileError(
            f"{label} has one column only ({shown}). Coordinates stand in two columns, "
            "separated by comma, semicolon, tab or bar.",
            columns=tuple(names),
        )
    raise AmbiguousColumns(
        f"no column of {label} is named like a longitude and a latitude. Say which with lon and lat; "
        f"the columns are {shown}.",
        candidates=(),
        columns=tuple(names),
    )


def _named(given: str, names: Sequence[str]) -> str:
    """The column of that name; case and spaces around it may differ where only one column can be meant."""
    if given in names:
        return given
    alike = [name for name in names if name.strip().casefold() == given.strip().casefold()]
    return alike[0] if len(alike) == 1 else given


def _pairs(names: Sequence[str], lon_words: set[str], lat_words: set[str]) -> list[Pair]:
    """Columns whose names differ in nothing but longitude and latitude."""
    longitudes, latitudes = _marked(names, lon_words, lat_words), _marked(names, lat_words, lon_words)
    return [
        Pair(lon=lon, lat=lat, what=what)
        for what, lons in longitudes.items()
        for lon in lons
        for lat in latitudes.get(what, [])
    ]


def _marked(names: Sequence[str], meaning: set[str], other: set[str]) -> dict[str, list[str]]:
    """Columns with one word of this meaning and none of the other, by the rest of their name."""
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        words = [part for word in split_words(name) for part in _split(word, meaning)]
        if sum(word in meaning for word in words) == 1 and not any(word in other for word in words):
            rest = " ".join(word for word in words if word not in meaning and word not in _NOISE)
            found.setdefault(rest, []).append(name)
    return found


def split_words(name: str) -> list[str]:
    """A column's name cut into plain words: case, accents, underscores and camel case do not count."""
    plain = unicodedata.normalize("NFKD", name)
    plain = unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c)))
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain)
    return [word for word in re.split(r"[^\w]+|_+", plain.casefold()) if word]


def _split(word: str, meaning: set[str]) -> list[str]:
    """`startlng` is two words, `flat` is one: short words for coordinates count only behind a known beginning."""
    if word in meaning:
        return [word]
    for known in sorted(meaning, key=len, reverse=True):
        beginning = word.removesuffix(known)
        if beginning != word and (len(known) >= 5 or not known.isascii() or beginning in _BEGINNINGS):
            return [beginning, known]
    return [word]
