"""One person's own track: one fix of a window, one record of a hidden place, the file, the command, what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.errors import InputError, NothingInBox
from dpviz.ingest import read_parts
from dpviz.privacy import Budget, out_of_100
from dpviz.publishing import own_track

BOX = dpviz.GeoBox(11.15, 43.72, 11.35, 43.83)
HOME = "11.2750,43.7570,900"


def gpx(path: Path, days: int = 12) -> Path:
    draws = np.random.default_rng(4)
    points = []
    for day in range(1, days + 1):
        for hour in range(24):
            for minute in (0, 20, 40):
                lon, lat = (11.2712, 43.7601) if hour < 8 or hour > 18 else (11.2480, 43.7768)
                east, north = draws.normal(0, 0.0004, 2)
                time = f"2026-03-{day:02d}T{hour:02d}:{minute:02d}:00Z"
                points.append(f'<trkpt lat="{lat + north:.6f}" lon="{lon + east:.6f}"><time>{time}</time></trkpt>')
    path.write_text(
        f'<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{"".join(points)}</trkseg></trk></gpx>'
    )
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return gpx(tmp_path / "walks.gpx")


def test_one_fix_of_every_window_is_counted(log: Path) -> None:
    totals = {window: own_track.read_track(log, box=BOX, window=window).exact_total for window in own_track.WINDOWS}
    assert totals == {"fix": 12 * 72, "hour": 12 * 24, "day": 12}
    with pytest.raises(InputError, match="give fix, hour, day"):
        own_track.read_track(log, box=BOX, window="week")


def test_a_window_that_is_taken_out_changes_one_record_and_no_other_window(tmp_path: Path, log: Path) -> None:
    text = log.read_text()
    whole = own_track.read_track(log, box=BOX).to_numpy()
    for hour in ("2026-03-02T03", "2026-03-05T12", "2026-03-12T23"):
        kept = "".join(part + "</trkpt>" for part in text.split("</trkpt>")[:-1] if hour not in part)
        fewer = tmp_path / "fewer.gpx"
        fewer.write_text(kept + "</trkseg></trk></gpx>")
        assert np.abs(whole - own_track.read_track(fewer, box=BOX).to_numpy()).sum() == 1


def test_all_that_is_known_of_a_hidden_place_is_one_record_at_a_public_place(tmp_path: Path, log: Path) -> None:
    regions = own_track.hidden_places([HOME], box=BOX)
    assert regions[0].epsilon == dpviz.LEVELS[-1].epsilon
    counts, fewer = (
        own_track.read_track(file, box=BOX, regions=regions) for file in (log, gpx(tmp_path / "b.gpx", days=3))
    )
    touched = regions[0].outline.touched(counts.grid.frame, counts.grid.side)
    assert counts.exact_cells[touched].sum() == fewer.exact_cells[touched].sum() == 1
    assert (counts.exact_cells[touched] == fewer.exact_cells[touched]).all(), "where inside is said by nothing"
    assert counts.exact_total == 12 * 11 + 1


def test_places_are_named_drawn_or_read_and_refused_where_they_are_none(tmp_path: Path) -> None:
    found = own_track.hidden_places(["Scandicci", HOME], box=BOX)
    assert [region.name for region in found] == ["Scandicci", "hidden place 2"]
    file = tmp_path / "home.geojson"
    ring = [[11.2, 43.75], [11.21, 43.75], [11.21, 43.76], [11.2, 43.75]]
    shape = {"type": "Polygon", "coordinates": [ring]}
    feature = {"type": "Feature", "properties": {"name": "aunt"}, "geometry": shape}
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    assert own_track.hidden_places([str(file)], box=BOX)[0].name == "aunt"
    for wrong in ("Nowhere at all", "11.2,43.7,-5", "11.2,43.7,nan"):
        with pytest.raises(InputError):
            own_track.hidden_places([wrong], box=BOX)


def test_hidden_places_that_share_a_cell_are_refused(log: Path) -> None:
    beside = own_track.hidden_places(("11.2750,43.7570,300", "11.28214,43.7570,300"), box=BOX)
    with pytest.raises(InputError, match="touch one cell"):
        own_track.read_track(log, box=BOX, regions=beside)
    apart = own_track.hidden_places(("11.2750,43.7570,300", "11.2950,43.7570,300"), box=BOX)
    assert own_track.read_track(log, box=BOX, regions=apart).exact_total > 0


@pytest.mark.parametrize(
    "time",
    [
        *("20260314T0805", "1773475500", "3/14/2026 8:05", "2026-03-14T8:05", "2026-3-14", "2026-03-14T25:00"),
        *("\uff12\uff10\uff12\uff16-\uff10\uff13-\uff11\uff14T\uff10\uff18:05", "2026-03-14T08\u0663"),
    ],
)
def test_times_whose_first_letters_name_no_hour_are_refused(tmp_path: Path, time: str) -> None:
    written = tmp_path / "log.csv"
    for window in ("hour", "day"):
        rows = f"lon,lat,time\n11.25,43.77,2026-03-14T08:00:00Z\n11.25,43.77,{time}\n"
        written.write_text(rows, encoding="utf-8")
        with pytest.raises(InputError, match="another form"):
            own_track.read_track(written, box=BOX, window=window)
    assert own_track.read_track(written, box=BOX, window="fix").exact_total == 2


def test_times_with_blanks_fractions_or_none_are_read(tmp_path: Path) -> None:
    written = tmp_path / "log.csv"
    times = ("2026-03-14T08:00:00Z", "2026-03-14 08:10:00.25+01:00", "2026-03-14T08", "2026-03-14", "")
    written.write_text("lon,lat,time\n" + "".join(f"11.25,43.77,{time}\n" for time in times))
    assert own_track.read_track(written, box=BOX).exact_total == 3  # one hour, and two fixes without one
    assert own_track.read_track(written, box=BOX, window="day").exact_total == 2


def test_a_log_without_rows_has_nothing_in_the_box_and_adds_nothing_to_others(tmp_path: Path, log: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("lon,lat,time\n")
    with pytest.raises(NothingInBox):
        own_track.read_track(empty, box=BOX)
    assert own_track.read_track([empty, log], box=BOX).exact_total == 12 * 24


@pytest.mark.parametrize("zone", ["UTC", "Europe/Rome", "+05:30", None])
def test_times_of_a_table_name_the_hour_of_their_own_column(tmp_path: Path, zone: str | None) -> None:
    times = pd.date_range("2026-10-24T22:00", periods=300, freq="17min", tz="UTC")
    local = times.tz_localize(None) if zone is None else times.tz_convert(zone)  # the clocks are set back in Rome
    rows = pd.DataFrame({"lon": 11.25, "lat": 43.77, "time": local})
    rows.to_parquet(tmp_path / "log.parquet")
    for source in (rows, tmp_path / "log.parquet"):
        assert own_track.read_track(source, box=BOX).exact_total == len({str(time)[:13] for time in local})


def test_a_log_in_another_projection_is_brought_to_degrees(tmp_path: Path) -> None:
    web = tmp_path / "web.geojson"
    place = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1252344.3, 5429386.6]}}
    system = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}
    web.write_text(json.dumps({"type": "FeatureCollection", "crs": system, "features": [place]}))
    assert own_track.read_track(web, box=BOX, window="fix").exact_total == 1


def test_guesses_name_the_hidden_place_once_and_add_up_elsewhere() -> None:
    regions = own_track.hidden_places([HOME], box=BOX)
    told = own_track.guesses(Budget(epsilon=0.5), regions)
    assert told[0] == ("hidden place 1", 0, out_of_100(0.05))
    assert told[1] == ("", 1, out_of_100(0.55)) and [row[2] for row in told[2:]] == [100, 100]


def test_a_window_that_touches_several_hidden_places_costs_all_of_them() -> None:
    regions = own_track.hidden_places([HOME, "11.30,43.80,300"], box=BOX)
    assert own_track.guesses(Budget(epsilon=0.5), regions)[2] == ("", 1, out_of_100(0.5 + 0.05 + 0.05))


def test_the_command_writes_points_that_are_no_fixes_and_pays_once(tmp_path: Path, log: Path) -> None:
    def run(out: str) -> dict[str, object]:
        words = ["trace", str(log), "--box", "11.15,43.72,11.35,43.83", "--hide", HOME, "--level", "4", "--json"]
        more = ["--ledger", str(tmp_path / "l.db"), "--out", str(tmp_path / out)]
        done = subprocess.run(
            [sys.executable, "-m", "dpviz", *words, *more], capture_output=True, text=True, check=True
        )
        found: dict[str, object] = json.loads(done.stdout)
        return found

    first, again = run("a.gpx"), run("b.geojson")
    assert first["id"] == again["id"] and dpviz.Ledger(tmp_path / "l.db").remaining("walks.gpx").epsilon == 0
    text = (tmp_path / "a.gpx").read_text()
    assert "Protected points, not fixes" in text and text.count("<wpt ") > 0 and "2026" not in text
    assert json.loads((tmp_path / "b.geojson").read_text())["type"] == "FeatureCollection"
    counts = dpviz.read_counts(tmp_path / "a.gpx", box=BOX, side=64)
    assert counts.exact_total == text.count("<wpt "), "any program that reads GPX reads it"


def test_a_log_has_times_that_other_readings_divide_by(log: Path) -> None:
    counts, parts = read_parts(log, box=BOX, side=8, by="hour", time="time", zone="UTC")
    row, column = parts.corner(12)
    assert counts.exact_cells[row : row + 8, column : column + 8].sum() == 12 * 3
