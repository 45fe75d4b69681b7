"""The server for assistants: answers with ranges and promise, one sentence for a bad question, nothing exact."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from mcp import Client

import dpviz
from dpviz import ask_server
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.labels import sentences
from dpviz.questions.answers import RANGES
from tests.ui.test_pages import NOT_FOR_ANALYSTS

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
CIRCLE = {"lon": -74.0, "lat": 40.75, "radius_m": 900}
STREETS = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"name": f"{at}. Street"},
            "geometry": {"type": "LineString", "coordinates": [[-74.04, 40.7 + at / 100], [-73.91, 40.7 + at / 100]]},
        }
        for at in range(1, 9)
    ],
}
TRIANGLE = {"type": "Polygon", "coordinates": [[[-74.04, 40.71], [-73.95, 40.71], [-73.98, 40.78], [-74.04, 40.71]]]}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases of places, one of trips, and something that is none."""
    folder = tmp_path_factory.mktemp("published")
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(BOX, 32), cells)
    for number, epsilon in enumerate((2.0, 0.2)):
        made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid", seed=number)
        made.save(folder / f"places-{number}")
    trips = dpviz.release(dpviz.builtin("nyc-trips"), k=2, budget=dpviz.Budget(epsilon=1.0), seed=3)
    trips.save(folder / "trips")
    (folder / "broken").mkdir()
    (folder / "broken" / "release.json").write_text("{}", encoding="utf-8")
    return folder


def ask(folder: Path, *questions: tuple[str, dict[str, Any]]) -> list[Any]:
    """The results of some questions, put by a client in memory."""

    async def run() -> list[Any]:
        async with Client(ask_server.server_of(folder)) as client:
            return [await client.call_tool(name, given) for name, given in questions]

    return anyio.run(run)


def ids(folder: Path) -> dict[str, str]:
    """Release ids by folder."""
    return {path.name: dpviz.Release.load(path).id for path in folder.iterdir() if path.name != "broken"}


def test_the_list_says_promise_error_and_what_cannot_be_read(shelf: Path) -> None:
    (found,) = ask(shelf, ("list_releases", {}))
    listed = found.structured_content
    assert {one["id"] for one in listed["releases"]} == set(ids(shelf).values()) and listed["unreadable"] == ["broken"]
    for one in listed["releases"]:
        assert "times in 100" in one["promise"] and "NOT PRIVATE" in one["status"] and one["error"]
    assert next(one for one in listed["releases"] if "ends" in one)["ends"] == ["pickup", "dropoff"]


def questions(known: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    """At least one question for each tool."""
    places, other, trips = known["places-0"], known["places-1"], known["trips"]
    return [
        ("count", {"release": places}),
        ("count", {"release": places[:8], "areas": [*BOX.as_tuple()]}),
        ("count", {"release": places, "areas": [CIRCLE, TRIANGLE], "shares": True}),
        ("count", {"release": places, "areas": "squares:2000", "largest": 3}),
        ("count", {"release": places, "areas": "neighbourhoods"}),
        ("count", {"release": trips, "areas": [TRIANGLE], "end": "pickup"}),
        ("flows", {"release": trips, "areas": "squares:6000"}),
        ("streets", {"release": places, "streets": STREETS}),
        ("sites", {"release": places, "sites": [{"lon": -74.0, "lat": 40.75}], "within_m": 300}),
        ("centers", {"release": places, "k": 3}),
        ("centers", {"release": trips, "k": 2}),
        ("compare", {"release": places, "other": other, "areas": "squares:4000"}),
        ("picture", {"release": places, "other": other, "style": "dark"}),
    ]


def test_every_tool_answers_and_every_answer_carries_its_promise_and_what_its_range_is_about(shelf: Path) -> None:
    asked = questions(ids(shelf))
    assert {name for name, _ in asked} == {tool.name for tool in ask_server.TOOLS}
    for (name, given), found in zip(asked, ask(shelf, *asked), strict=True):
        answer = found.structured_content
        assert not found.is_error and json.loads(found.content[0].text) == answer, (name, given, found.content[0].text)
        assert "times in 100" in answer["promise"]
        assert answer["range"] == f"{RANGES} {sentences.OF_FILE}"
        rows = [row for part in ("areas", "flows", "streets", "served_by") for row in answer.get(part, ())]
        rows += [each for row in rows for each in (row.pop("first", None), row.pop("second", None)) if each]
        rows += [row["serves"] for row in answer.get("centers", ()) if row["serves"]]
        for row in rows:
            assert "differ" in row or row["low"] <= row["estimate"] <= row["high"]
    assert [part.type for part in found.content] == ["text", "image"] and found.content[1].mime_type == "image/png"


def test_the_answer_is_that_of_the_library(shelf: Path) -> None:
    release = dpviz.Release.load(shelf / "places-0")
    (found, wanted) = ask(
        shelf,
        ("count", {"release": release.id, "areas": [TRIANGLE]}),
        ("count", {"release": release.id, "areas": "squares:3000", "largest": 2}),
    )
    expected = release.count(TRIANGLE)
    row = found.structured_content["areas"][0]
    assert [row[name] for name in ("estimate", "low", "high")] == [
        round(getattr(expected, name), 1) for name in ("estimate", "low", "high")
    ]
    table = release.table(dpviz.Tiles(kind="squares", size=3000.0)).sort_values("estimate", ascending=False)
    assert [row["area"] for row in wanted.structured_content["areas"]] == list(table["area"][:2])
    assert wanted.structured_content["areas_asked"] == len(table)


def many_corners(number: int) -> dict[str, Any]:
    turns = np.linspace(0.0, 2.0 * np.pi, number)
    ring = np.column_stack([-74.0 + 0.01 * np.cos(turns), 40.75 + 0.01 * np.sin(turns)]).tolist()
    return {"type": "Polygon", "coordinates": [ring]}


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("nonsense", {}, "there is no tool"),
    ("count", {}, "release of count is missing"),
    ("count", {"release": "zz"}, "id of no release"),
    ("count", {"release": ""}, "id of no release"),
    ("count", {"release": "{places}", "area": "x"}, "unknown"),
    ("count", {"release": 7}, "another kind"),
    ("count", {"release": "{places}", "areas": "/etc/areas.geojson"}, "files are not read"),
    ("count", {"release": "{places}", "areas": "Atlantis"}, "no neighbourhood"),
    ("count", {"release": "{places}", "areas": "x" * 100_000}, "no neighbourhood"),
    ("count", {"release": "{places}", "areas": [[[1, 2]]]}, "not lists of lists"),
    ("count", {"release": "{places}", "areas": {"lon": "x", "lat": 0, "radius_m": 1}}, "three numbers"),
    ("count", {"release": "{places}", "areas": {"name": "x"}}, "an area is a box"),
    ("count", {"release": "{places}", "areas": [10, 10, 11, 11]}, "outside the public box"),
    ("count", {"release": "{places}", "areas": "squares:1"}, "give larger ones"),
    ("count", {"release": "{places}", "areas": "squares:60"}, "areas; give fewer"),
    ("count", {"release": "{places}", "largest": 0, "areas": "squares:2000"}, "1 to 400"),
    ("count", {"release": "{places}", "end": "pickup"}, "dimensions"),
    ("count", {"release": "{places}", "parts": ["7"]}, "not divided into parts"),
    ("count", {"release": "{places}", "areas": many_corners(100_000)}, "longer than"),
    ("flows", {"release": "{places}", "areas": "neighbourhoods"}, "trips"),
    ("flows", {"release": "{trips}", "areas": "squares:1000"}, "at most 40"),
    ("streets", {"release": "{places}", "streets": "/srv/streets.gpkg"}, "another kind"),
    ("streets", {"release": "{places}", "streets": {"type": "nonsense"}}, "no GeoJSON of lines"),
    ("sites", {"release": "{places}", "sites": []}, "1 to 200"),
    ("sites", {"release": "{places}", "sites": [{"lon": 0, "lat": 0}]}, "outside the public box"),
    ("sites", {"release": "{places}", "sites": [{"lon": -74.0, "lat": 40.75}], "within_m": -1}, "radius above 0"),
    ("centers", {"release": "{places}", "k": 0}, "1 to 256"),
    ("centers", {"release": "{places}", "k": 10**9}, "1 to 256"),
    ("compare", {"release": "{places}", "other": "{trips}"}, "different public boxes"),
    ("picture", {"release": "{places}", "style": "loud"}, "another kind"),
]


def test_a_bad_question_gets_one_sentence_and_soon(shelf: Path) -> None:
    known = ids(shelf)
    names = {"{places}": known["places-0"], "{trips}": known["trips"]}
    asked = [
        (name, {key: names.get(value, value) if isinstance(value, str) else value for key, value in given.items()})
        for name, given, _ in BAD
    ]
    begun = time.monotonic()
    for (name, given, said), found in zip(BAD, ask(shelf, *asked), strict=True):
        text = found.content[0].text
        assert found.is_error and said in text, (name, str(given)[:200], text[:300])
        assert len(text) < 400 and "\n" not in text and "Traceback" not in text
    assert time.monotonic() - begun < 60


def test_an_outline_of_tens_of_thousands_of_corners_is_answered(shelf: Path) -> None:
    (found,) = ask(shelf, ("count", {"release": ids(shelf)["places-0"], "areas": many_corners(20_000)}))
    assert not found.is_error and found.structured_content["areas"][0]["high"] > 0


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    listed, counted = ask(tmp_path, ("list_releases", {}), ("count", {"release": "abc"}))
    assert "No release lies in the folder" in listed.structured_content["note"]
    assert "there are: none yet" in counted.content[0].text


def test_a_release_that_comes_later_is_found_and_resources_are_label_and_proof(shelf: Path, tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(ask_server.server_of(tmp_path)) as client:
            assert (await client.list_resources()).resources == []
            dpviz.Release.load(shelf / "places-0").save(tmp_path / "late")
            found = (await client.list_resources()).resources
            texts = [(await client.read_resource(one.uri)).contents[0].text for one in found]  # type: ignore[union-attr]
            assert "Privacy label" in texts[0] and "proof" in texts[1]
            with pytest.raises(Exception, match="id of no release"):
                await client.read_resource("dpviz://zz/label")

    anyio.run(run)


NOTED = """
import builtins, io, json, sys
opened = []
sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
import dpviz.__main__
def tell():
    rooms = [name for name in sys.modules if name.startswith(NOT_FOR)]
    files = [name for name in opened if "nyc-t" in name or "ledger" in name and name.endswith((".sqlite3", ".db"))]
    print("NOTED", json.dumps([rooms, files]), file=sys.stderr, flush=True)
from dpviz.ask_server import serve_stdio
from pathlib import Path
serve_stdio(Path(sys.argv[1]), "test")
tell()
"""


def test_the_process_survives_nonsense_and_opens_nothing_exact(shelf: Path, project_root: Path) -> None:
    known = ids(shelf)
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {}}
    hello = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    lines: list[Any] = ["this is no JSON", "[1, 2", '{"jsonrpc": "2.0"}', "\x00\x01", json.dumps(hello)]
    lines.append(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    lines += ["more nonsense", "[" * 400 + "]" * 400, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "no/such"})]
    for number, (name, given) in enumerate(questions(known), start=10):
        lines.append(json.dumps({**call, "id": number, "params": {"name": name, "arguments": given}}))
    rooms = tuple(room for room in NOT_FOR_ANALYSTS if room != "dpviz_research")  # it lists its commands
    script = f"NOT_FOR = {rooms!r}\n{NOTED}"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(shelf)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(project_root)},
    ) as server:
        assert server.stdin is not None and server.stdout is not None and server.stderr is not None
        server.stdin.write("".join(f"{line}\n" for line in lines))
        server.stdin.flush()
        wanted = set(range(10, 10 + len(questions(known))))
        answers: dict[int, Any] = {}
        unread: list[str] = []
        while not wanted <= set(answers):
            line = server.stdout.readline()
            assert line, server.stderr.read()[-2000:]
            told = json.loads(line)
            if told.get("id") is None:
                unread.append(told["error"]["message"])
            else:
                answers[told["id"]] = told
        server.stdin.close()
        noted = server.stderr.read()
    assert server.returncode == 0
    assert all("result" in answers[number] and not answers[number]["result"].get("isError") for number in wanted)
    assert "error" in answers[1]
    assert len(unread) == 6 and all("is no message" in told for told in unread)  # each unreadable line is answered
    assert json.loads(noted.rpartition("NOTED ")[2]) == [[], []], noted


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_http_asks_for_its_key(shelf: Path, project_root: Path, port: int) -> None:
    key = "a-key-of-many-letters"
    command = [sys.executable, "-m", "dpviz", "ask-server", "--releases", str(shelf), "--http", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(project_root), "DPVIZ_ASK_KEY": key}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None and f"127.0.0.1:{port}/mcp" in server.stderr.readline()
            status = waited(lambda: posted(port, ""))
            assert status == (401, "This server asks for its key: Authorization: Bearer KEY.\n")
            assert posted(port, "another-key-of-letters")[0] == 401
            assert posted(port, key, host="evil.example")[0] in (403, 421)
            code, text = posted(port, key)
            assert code == 200 and "list_releases" in text
        finally:
            server.terminate()


def posted(port: int, key: str, host: str = "") -> tuple[int, str]:
    """What the server says to a question without a session."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    headers |= {"Authorization": f"Bearer {key}"} if key else {}
    headers |= {"Host": host} if host else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/mcp", data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def waited(ask_it: Callable[[], tuple[int, str]]) -> tuple[int, str]:
    """The first answer of a server that is still starting."""
    until = time.monotonic() + 60
    while True:
        try:
            return ask_it()
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--releases", "nowhere"], "there is no folder nowhere"),
        (["--releases", ".", "--http", "99999"], "a port is a number"),
    ],
)
def test_the_command_refuses_in_one_sentence(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from dpviz.__main__ import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["dpviz", "ask-server", *words])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2 and said in capsys.readouterr().err
