"""The sentences of opening a file of one's own."""

from __future__ import annotations

from dpviz.language import speaking

OWN_BOX_TYPED = "Typed: a town, or west, south, east, north"
OWN_OTHER = {
    "reading": (
        "A data set of this name was opened with another area, or protecting something else (rows instead of persons). "
        "Open it as it was opened then."
    ),
    "records": (
        "A data set of this name was opened with other records. Choose the file that was opened then. If these are new "
        "records, give them a name of their own."
    ),
    "kept rows": (
        "A data set of this name was opened with other rows of each person. If the file has changed, or an older "
        "version of this program opened it, give a new name. Then answer that these are the same people, so that both "
        "data sets share one privacy budget."
    ),
}
OWN_ALIKE_ANSWER = "Answer the question about the people above, then open the data."
OWN_UNREADABLE = "This file cannot be read as places on a map. Check that it is CSV, Parquet, GeoJSON or GPX."
PARTS_KINDS = {
    "": "Groups, such as member or guest",
    "hour": "Times: a map for each hour of the day",
    "weekday": "Times: a map for each weekday",
    "month": "Times: a map for each month",
}
PARTS_PUBLIC = (
    "The names are published. Write them down without looking at the data; everybody else is in the group “other”."
)

OWN_UPLOAD_TYPES = (
    "Kinds of file: CSV, Excel, GPX, GeoJSON, KML, Parquet, GeoPackage, Shapefile (zip), FlatGeobuf, Arrow or SQLite"
)
OWN_SEPARATOR, OWN_DECIMAL = "Between the columns stands", "Decimals are written with"
OWN_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
OWN_DECIMALS = {".": "a point", ",": "a comma"}
OWN_CRS_WORDS = {
    "": "the usual way, degrees (or, where the file says so, its own way)",
    "swapped": "swapped: latitude stands in the longitude column",
    "E7": "degrees times ten million",
    "0-360": "longitudes from 0 to 360",
    "EPSG": "another map projection (EPSG code)",
}
OWN_FIX = {
    "swapped": "Swap longitude and latitude",
    "E7": "Convert from degrees times ten million",
    "0-360": "Convert longitudes from 0 to 360",
    "EPSG": "Say which projection it is",
}
OWN_NAME = "Name of this data set"

speaking.answers(__name__)
