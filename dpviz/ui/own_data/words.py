"""The sentences of opening a file of one's own."""

from __future__ import annotations

from dpviz.language import speaking

OWN_BOX = "Public box"
OWN_BOX_NOTE = (
    "The box is public. Pick a city or type four numbers that you would tell anybody; never read them off your data."
)
OWN_BOX_TYPED = "Typed: a town, or west, south, east, north"
OWN_BOX_SEEN = "The public box {box}, {wide} wide. Everybody will see it."
OWN_BOX_NO_PLACE = (
    "No place of the bundled map begins with “{name}”. Some cities stand there by their English names alone, such as "
    "Florence. Or type four numbers."
)
OWN_BOX_WIDE = "How wide, in kilometres"
OWN_MAP_FILE = (
    "If you have one, a map file of this city (streets, parks, names): PMTiles, MBTiles, .osm.pbf, GeoPackage or "
    "GeoJSON"
)
OWN_MAP_HELP = "The parts of it that a map needs are kept on this computer. Nothing is fetched from anywhere."
OWN_MAP_ADD = "Add this map"
OWN_MAP_ADDING = "Reading the map …"
OWN_MAP_ADDED = "The map is added: {names} names. {credit}"
OWN_UNIT = "Who is protected"
OWN_UNIT_RECORD = "One record (one trip)"
OWN_UNIT_PERSON = "One person"
OWN_PERSON = "Column that tells persons apart"
OWN_CAP = "Records kept per person, at most"
OWN_LOOKING = "Looking at the columns …"
OWN_UNIT_ASK = (
    "{column}: {values} different values, up to {most} rows each{where}. Protect a whole {noun} (safer), or single "
    "rows?"
)
OWN_UNIT_ASK_STRICT = "{column} seems to tell who made which row. Protect a whole {noun} (safer), or single rows?"
OWN_NO_PERSONS = "No column tells persons apart, so what is protected is one row."
OWN_RECORD_MEANS = (
    "One record is one row: one of up to {most} rows of a single {noun}. That one row is hidden, and the {noun} is "
    "not: whoever looks for the {noun} may find it by all its rows together."
)
OWN_RECORD_MEANS_STRICT = "One record is one row. It is hidden, and a {noun} with many rows is not."
OWN_CAP_KEEPS = "Keeps {kept} of {rows} rows. "
OWN_CAPS_KEEP = "How many rows stay, by the most rows kept of each {noun}{where}: {parts}. The others are left out."
OWN_FIRST_ROWS = " (in the first {rows} rows)"
OWN_NOT_OFFERED = "Not offered as persons: {columns}."
OWN_CAP_KEPT = (
    "{kept} of {inside} rows are kept, at most {cap} of each {noun} ({share}). Everything here is about those."
)
OWN_KNOWN = "This data set was opened before. It keeps the privacy budget that it got then."
OWN_KNOWN_PLAIN = (
    "A data set of this name was opened before without strict preview, so somebody may have seen its records. Give "
    "another name for a strict preview."
)
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
OWN_ALIKE = (
    "These records, or the people in them, look like those of “{names}”. A second data set would give the same people "
    "a second privacy budget. Are they the same people?"
)
OWN_ALIKE_SAME = "Yes. Both data sets share the privacy budget of “{name}”"
OWN_ALIKE_OTHER = "No, these are other people"
OWN_ALIKE_WHY = "Why they are other people (kept in the ledger)"
OWN_ALIKE_ANSWER = "Answer the question about the people above, then open the data."
OWN_NO_STANDIN = (
    "The part of the privacy budget for the made-up data was too small. It is used up. You may open your data "
    "under another name with a larger part; what is given away under both names adds up."
)
OWN_AGAIN = (
    "“{name}” came through the browser, which tells no program where a file lies. To go on with it, choose “Use "
    "your own data” and give the same file again; its privacy budget and its made-up data are kept"
)
OWN_MOVED = "The file of “{name}” is not where it was ({file}). Choose “Use your own data” and say where it is now"
OWN_UNKNOWN = (
    "“{name}” does not stand in the book of what was given away (the ledger), perhaps because the book was moved. "
    "Choose “Use your own data” to open it anew; what was published before is still out, and adds up"
)
OWN_UNREADABLE = "This file cannot be read as places on a map. Check that it is CSV, Parquet, GeoJSON or GPX."
READING = "Reading “{name}” …"
READING_CLOSE = "Closing this window cancels the reading."
CANCEL = "Cancel"
CANCELLED = "The reading was cancelled."

# ---- the form and the dialog ----

OWN_TITLE = "Use your own data"
OWN_INTRO = "Your file stays on this computer. Records outside the box you choose are ignored."
OWN_FILE = "A file with one record per row"
OWN_UPLOAD_TYPES = (
    "Kinds of file: CSV, Excel, GPX, GeoJSON, KML, Parquet, GeoPackage, Shapefile (zip), FlatGeobuf, Arrow or SQLite"
)
OWN_PATH = "… or the path of a file or folder on this computer"
OWN_LON, OWN_LAT = "East–west (longitude)", "North–south (latitude)"
OWN_COLUMNS_GUESSED = "These two columns were found by the file’s heading. If they are wrong, choose others here."
OWN_COLUMNS_ASK = "Which columns hold the place? More than one could."
OWN_NO_NAMES = (
    "The first line of this file holds no names of columns. Say how its rows are written: one row must not decide how "
    "all others are read."
)
OWN_SEPARATOR, OWN_DECIMAL = "Between the columns stands", "Decimals are written with"
OWN_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
OWN_DECIMALS = {".": "a point", ",": "a comma"}
OWN_SAMPLE = "First rows, for your eyes only"
OWN_CRS = "How the coordinates are written"
OWN_CRS_WORDS = {
    "": "the usual way, degrees (or, where the file says so, its own way)",
    "swapped": "swapped: latitude stands in the longitude column",
    "E7": "degrees times ten million",
    "0-360": "longitudes from 0 to 360",
    "EPSG": "another map projection (EPSG code)",
}
OWN_EPSG = "EPSG code of the projection"
OWN_FIX = {
    "swapped": "Swap longitude and latitude",
    "E7": "Convert from degrees times ten million",
    "0-360": "Convert longitudes from 0 to 360",
    "EPSG": "Say which projection it is",
}
OWN_AS_IT_IS = "Open it as it is"
OWN_UNIT_FIRST = "Say first who is protected."
OWN_NAME = "Name of this data set"
OWN_TOTAL = "Privacy budget: enough for … releases"
OWN_TOTAL_LEVEL = "at level"
OWN_TOTAL_HELP = (
    "The privacy budget is the most that all releases of these data may give away together. It cannot be raised later."
)
OWN_STRICT = (
    "Strict preview: look only at made-up data that resemble yours. Making them uses up a part of the privacy budget"
)
OWN_STRICT_SHARE = "Part of the privacy budget for the made-up data (of 100 parts; 20 is usual)"
OWN_GO = "Open these data"
OWN_NO_ADDRESS = "This page opens files on this computer only. Save the file first, then choose it here."
OWN_NO_SHARE = (
    "This page opens files of this computer only, none of other computers in the network. Copy the file here, then "
    "choose it."
)
OWN_OPENING = "Opening “{name}” again …"
OWN_FIRST_FILE = "Choose a file or type a path first."

speaking.answers(__name__)
