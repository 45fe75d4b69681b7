"""Published releases for assistants: a server of the Model Context Protocol, over standard input and output or HTTP.

It answers from release folders alone and imports nothing that reads records or opens a ledger: a contract in
pyproject.toml holds it to that. Each tool is a row of ask_server.json, each answer carries its ranges and the promise,
and what cannot be answered is one sentence. The size of a question is bounded before any work is done for it.
"""

from __future__ import annotations

import base64
import hmac
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Final

import anyio
import anyio.to_thread
import mcp_types as protocol
import numpy as np
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dpviz.clustering import match_centers
from dpviz.domain.trip_ends import are_trips, end_frame, end_names
from dpviz.drawing.picture import picture, title_of
from dpviz.errors import DpvizError, InputError, NotOffered
from dpviz.labels import sentences as say
from dpviz.labels.accuracy import accuracy_sentences
from dpviz.labels.privacy_label import privacy_label, status_sentences
from dpviz.life.feed import Shelf, load_releases
from dpviz.questions.answers import RANGES, Estimate
from dpviz.questions.areas import Circle, Zone, zones_of
from dpviz.questions.centers import center_radii
from dpviz.questions.counts import countable_cells, difference, refuse_much
from dpviz.releases.document import proof_of
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.schema_check import find_breach

MOST_TEXT: Final = 1_000_000  # letters of a question: outlines of some 40,000 corners
MOST_AREAS, MOST_ROWS, USUAL_ROWS = 20_000, 400, 50
MOST_FLOW_AREAS, MOST_SITES, MOST_CENTERS = 40, 200, 256
_TEXT: Final = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
_TABLE: Final[dict[str, Any]] = json.loads(Template(_TEXT).substitute(globals()))  # with the limits above


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One question that an assistant may put: its name, what it does, what it takes, and how it is answered."""

    name: str
    does: str
    takes: Sequence[str]
    needs: Sequence[str]
    answer: Callable[[Release, Mapping[str, Any]], dict[str, Any]]

    @property
    def schema(self) -> dict[str, Any]:
        """What its arguments look like, as a JSON schema."""
        parts = {name: _TABLE["arguments"][name] for name in self.takes}
        return {"type": "object", "properties": parts, "required": list(self.needs), "additionalProperties": False}


# ---- answers ---------------------------------------------------------------------------------------------------


def _count(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    shares, end = bool(asked.get("shares")), asked.get("end")
    if "areas" not in asked and end is None:
        total = release.total()
        return {"areas": [{"area": total.area, **_range_of(total)}]}
    zones = _zones(release, asked.get("areas"), end)
    table = release.table(zones, shares=shares, end=end)
    return {"areas": _largest(table, asked, 6 if shares else 1), "areas_asked": len(zones)}


def _flows(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    zones = _zones(release, asked["areas"], end_names(release.frame)[0])
    if len(zones) > MOST_FLOW_AREAS:
        raise InputError(f"trips between {len(zones):,} areas were asked for; give at most {MOST_FLOW_AREAS}.")
    return {"flows": _largest(release.flows(zones), asked)}


def _streets(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    table = release.streets(asked["streets"], end=asked.get("end"))
    return {"streets": _largest(table, asked), "streets_asked": len(table)}


def _sites(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    places, end = asked["sites"], asked.get("end")
    if not 1 <= len(places) <= MOST_SITES:
        raise InputError(f"{len(places):,} sites were given; give 1 to {MOST_SITES}.")
    within = float(asked.get("within_m", 500.0))
    pairs = [(float(place["lon"]), float(place["lat"])) for place in places]
    frame = release.frame if end is None else end_frame(release.frame, end)
    if any(not low <= at <= high for pair in pairs for at, low, high in zip(pair, frame.low, frame.high, strict=True)):
        raise InputError("a site lies outside the public box; give longitude and latitude inside it, in degrees.")
    near: list[Any] = [Circle(lon=lon, lat=lat, radius_m=within) for lon, lat in pairs]
    return {
        "average_distance_m": _range_of(release.distance_to(pairs, end=end)),
        f"share_within_{within:g}_m": _range_of(release.share(near, end=end)),
        "served_by": _rows(release.served_by(pairs, end=end), 1),
    }


def _centers(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    k = asked["k"]
    if not 1 <= k <= MOST_CENTERS:
        raise InputError(f"k={k}: ask for 1 to {MOST_CENTERS} centers.")
    frame, names = release.frame, list(release.frame.names)
    table = release.centers_for(k).sort_values("weight", ascending=False, kind="stable")
    rows = _rows(table[names], 6)
    if release.protected_cells is None:
        return {"centers": rows, "note": "This release holds no counted cells, so its centers come without a range."}
    off = center_radii(countable_cells(release), frame.to_local(table[names].to_numpy()), np.ones(k))
    serves = _rows(release.served_by(table[names]), 1) if frame.dims == 2 else [{}] * k
    found = zip(rows, off.tolist(), serves, strict=True)
    return {"centers": [{**row, "off_by_at_most": round(far, 1), "serves": held} for row, far, held in found]}


def _compare(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    other, end = asked["other"], asked.get("end")
    if release.frame != other.frame:
        raise InputError("the two releases have different public boxes and cannot be compared.")
    zones = _zones(release, asked.get("areas"), end)
    first, second = (each.table(zones, end=end) for each in (release, other))
    apart, reach = difference(first, second)
    rows = [
        {
            "area": one["area"],
            "first": one,
            "second": two,
            "apart": round(float(more), 1),
            "range_of_apart": [round(float(more - off), 1), round(float(more + off), 1)],
            "differ": bool(abs(more) > off),
        }
        for one, two, more, off in zip(_rows(first, 1), _rows(second, 1), apart, reach, strict=True)
    ]
    rows.sort(key=lambda row: -abs(row["apart"]))
    here, there = release.protected_centers.positions, other.protected_centers.positions
    pairs = [round(math.dist(here[i], there[j]), 1) for i, j in match_centers(here, there)]
    return {"areas": rows[: _most(asked)], "centers_apart_m": sorted(pairs), "other": other.id}


def _picture(release: Release, asked: Mapping[str, Any]) -> dict[str, Any]:
    drawn = picture(release, "png", beside=asked.get("other"), style=asked.get("style", "light"))
    return {"png": drawn, "shows": title_of(release)}


_ANSWERS: Final = {
    **{"count": _count, "flows": _flows, "streets": _streets, "sites": _sites, "centers": _centers},
    **{"compare": _compare, "picture": _picture},
}
TOOLS: Final = tuple(
    Tool(name=name, does=told["does"], takes=told["takes"], needs=told["needs"], answer=_ANSWERS[name])
    for name, told in _TABLE["tools"].items()
)


def _largest(table: Any, asked: Mapping[str, Any], digits: int = 1) -> list[dict[str, Any]]:
    """So many rows as were asked for, those with the most records first."""
    return _rows(table.sort_values("estimate", ascending=False, kind="stable").head(_most(asked)), digits)


def _rows(table: Any, digits: int) -> list[dict[str, Any]]:
    """Plain rows of rounded numbers, with nothing where there is no number."""
    return [
        {
            key: (None if not math.isfinite(value) else round(value, digits)) if isinstance(value, float) else value
            for key, value in row.items()
        }
        for row in table.to_dict(orient="records")
    ]


def _range_of(found: Estimate) -> dict[str, Any]:
    digits = 6 if found.is_share else 1
    return {name: round(float(getattr(found, name)), digits) for name in ("estimate", "low", "high")} | {
        "note": found.note
    }


def _most(asked: Mapping[str, Any]) -> int:
    most = asked.get("largest", USUAL_ROWS)
    if not 1 <= most <= MOST_ROWS:
        raise InputError(f"largest={most}: an answer holds 1 to {MOST_ROWS} rows.")
    return int(most)


def _zones(release: Release, areas: Any, end: str | None) -> list[Zone]:
    """The areas of a question, checked, few enough to be answered in seconds."""
    frame = release.frame if end is None else end_frame(release.frame, end)
    found = zones_of((*frame.low, *frame.high) if areas is None else _area(areas), frame)
    if len(found) > MOST_AREAS:
        raise InputError(f"these are {len(found):,} areas; give fewer or larger ones, at most {MOST_AREAS:,}.")
    refuse_much(release, found, end)
    return found


def _area(given: Any, deep: int = 0) -> Any:
    """What a question may give as areas; the name of a file is none, for files are the server's own."""
    if isinstance(given, str) and given.lower().rstrip().endswith((".json", ".geojson")):
        raise InputError("files are not read here; send the outline itself, as GeoJSON.")
    if isinstance(given, Mapping) and {"lon", "lat", "radius_m"} == set(given):
        return Circle(lon=given["lon"], lat=given["lat"], radius_m=given["radius_m"])
    if isinstance(given, Mapping) and "type" not in given:
        raise InputError("an area is a box, a circle {lon, lat, radius_m}, GeoJSON, or a name.")
    if isinstance(given, list) and not all(isinstance(part, int | float) for part in given):
        if deep:
            raise InputError("areas are a list of boxes, circles, GeoJSON or names, not lists of lists of them.")
        return [_area(part, deep + 1) for part in given]
    return given


# ---- releases --------------------------------------------------------------------------------------------------


def list_releases(shelf: Shelf) -> dict[str, Any]:
    """What lies in the folder: the releases with promise and error, what has no answer, what cannot be read."""
    found = {
        "releases": [_facts(release, shelf) for release in shelf.releases],
        "no_answer": [{"id": one.id, "reason": one.reason.value} for one in shelf.no_answers],
        "unreadable": list(shelf.unreadable),
    }
    return found if any(found.values()) else {**found, "note": "No release lies in the folder of this server yet."}


def _facts(release: Release, shelf: Shelf) -> dict[str, Any]:
    parts, news = release.request.parts, shelf.news.get(release.id)
    frame = release.frame if parts is None else parts.box.frame
    ends = {"ends": list(end_names(frame))} if are_trips(frame) else {}
    return {
        "id": release.id,
        "title": title_of(release)[:200],
        "published": str(release.about.get("published", ""))[:40],
        "status": " ".join(status_sentences(release)),
        "news": "" if news is None else news.sentence()[:400],
        "promise": _promise(release),
        "error": " ".join(accuracy_sentences(release)),
        "box": dict(zip(frame.names, zip(frame.low, frame.high, strict=True), strict=True)),
        "centers": len(release.raw_centers),
        "label": f"dpviz://{release.id}/label",
        "proof": f"dpviz://{release.id}/proof",
        **ends,
        **({} if parts is None else {"by": parts.by, "parts": list(parts.names)}),
    }


def _promise(release: Release) -> str:
    return f"{say.odds_told(release.guarantee)} {say.PROTECTS.format(unit=say.unit_told(release.guarantee.unit))}"


def _chosen(shelf: Shelf, name: str) -> Release | NoAnswer:
    every: tuple[Release | NoAnswer, ...] = (*shelf.releases, *shelf.no_answers)
    found = [one for one in every if name and one.id.startswith(name)]
    if len(found) != 1:
        known = ", ".join(one.id[:8] for one in shelf.releases[:20]) or "none yet"
        names = "are the first letters of several releases" if found else "is the id of no release"
        raise InputError(f"{name[:80]!a} {names}; there are: {known}.")
    return found[0]


def _release(shelf: Shelf, asked: Mapping[str, Any], key: str = "release") -> Release:
    """The release that a question is about; of one by time the parts that were asked for."""
    found = _chosen(shelf, asked[key])
    if isinstance(found, NoAnswer):
        raise NotOffered(f"release {found.id[:8]} holds no answer: {found.reason.value}.")
    parts, wanted = found.request.parts, asked.get("parts")
    if parts is None and not wanted:
        return found
    return found.part(*(wanted or (range(len(parts.names)) if parts is not None else ())))


def answer_question(shelf: Shelf, name: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of one tool, with what its ranges mean and what was promised."""
    if name == "list_releases":
        return list_releases(shelf)
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        known = ", ".join(one.name for one in TOOLS)
        raise InputError(f"there is no tool {name[:40]!a}; there are list_releases, {known}.")
    if len(json.dumps(asked)) > MOST_TEXT:
        raise InputError(f"the question is longer than {MOST_TEXT:,} letters; simplify its outlines.")
    breach = find_breach(dict(asked), tool.schema)
    if breach is not None:
        raise InputError(f"{breach[:80]} of {name} is missing, unknown or of another kind; see what the tool takes.")
    release = _release(shelf, asked)
    given = {**asked, "other": _release(shelf, {**asked, "release": asked["other"]})} if "other" in asked else asked
    found = tool.answer(release, given)
    told = {"range": f"{RANGES} {say.OF_FILE}", "promise": _promise(release)}
    return {"release": release.whole or release.id, **found, **told}


# ---- the protocol ----------------------------------------------------------------------------------------------

_PROMISED: Final = "Answers come from what was published with differential privacy, and repeat what was promised."
_READS_ONLY = protocol.ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
_LIST = protocol.Tool(
    name="list_releases",
    description="All releases of this server: id, title, what was promised about them, how far off their numbers are.",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
    annotations=_READS_ONLY,
)


def server_of(folder: Path, version: str = "") -> Server[Any]:
    """The server on a folder of releases."""
    one_at_a_time = anyio.CapacityLimiter(1)

    async def work(task: Callable[..., Any], *given: Any) -> Any:
        return await anyio.to_thread.run_sync(lambda: task(load_releases([folder]), *given), limiter=one_at_a_time)

    async def tools(_: ServerRequestContext[Any], __: Any) -> protocol.ListToolsResult:
        offered = [
            protocol.Tool(
                name=tool.name,
                description=f"{tool.does} {RANGES} {_PROMISED}",
                input_schema=tool.schema,
                annotations=_READS_ONLY,
            )
            for tool in TOOLS
        ]
        return protocol.ListToolsResult(tools=[_LIST, *offered])

    async def call(_: ServerRequestContext[Any], asked: protocol.CallToolRequestParams) -> protocol.CallToolResult:
        try:
            found = await work(answer_question, asked.name, asked.arguments or {})
        except DpvizError as problem:
            return _failed(problem.message)
        except Exception as error:  # a client is told a sentence, whatever happens; the kind of error helps its author
            return _failed(f"this question cannot be answered ({type(error).__name__}); ask it in another way.")
        drawn = found.pop("png", None)
        content: list[protocol.ContentBlock] = [protocol.TextContent(text=json.dumps(found, ensure_ascii=False))]
        if drawn is not None:
            content.append(protocol.ImageContent(data=base64.b64encode(drawn).decode(), mime_type="image/png"))
        return protocol.CallToolResult(content=content, structured_content=found)

    async def resources(_: ServerRequestContext[Any], __: Any) -> protocol.ListResourcesResult:
        return protocol.ListResourcesResult(resources=await work(_resources))

    async def read(
        _: ServerRequestContext[Any], asked: protocol.ReadResourceRequestParams
    ) -> protocol.ReadResourceResult:
        try:
            text = await work(_resource, str(asked.uri))
        except DpvizError as problem:
            raise MCPError(protocol.INVALID_PARAMS, problem.message) from None
        contents = protocol.TextResourceContents(uri=asked.uri, mime_type="text/markdown", text=text)
        return protocol.ReadResourceResult(contents=[contents])

    return Server(
        "dpviz",
        version=version,
        instructions=_TABLE["instructions"],
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_read_resource=read,
    )


def _failed(sentence: str) -> protocol.CallToolResult:
    return protocol.CallToolResult(content=[protocol.TextContent(text=sentence)], is_error=True)


def _resources(shelf: Shelf) -> list[protocol.Resource]:
    """Label and proof of every release."""
    return [
        protocol.Resource(
            uri=f"dpviz://{one.id}/{kind}", name=f"{kind} of {one.id[:8]}", title=title, mime_type="text/markdown"
        )
        for one in (*shelf.releases, *shelf.no_answers)
        for kind, title in (("label", "Privacy label"), ("proof", f"Proof of {one.method}"))
    ]


def _resource(shelf: Shelf, uri: str) -> str:
    name, _, kind = uri.removeprefix("dpviz://").partition("/")
    outcome = _chosen(shelf, name)
    if kind == "label":
        return privacy_label(outcome)
    if kind == "proof":
        return proof_of(outcome.method)
    raise InputError(f"{uri[:80]!a} is no resource; a release has a label and a proof.")


@dataclass(frozen=True)
class KeyGuard:
    """Lets in who shows the key (Authorization: Bearer …), and nobody else."""

    app: ASGIApp
    key: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it before anything of it is read."""
        if scope["type"] == "http":
            shown = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ").strip()
            if not hmac.compare_digest(shown.encode(), self.key.encode()):
                refused = PlainTextResponse("This server asks for its key: Authorization: Bearer KEY.\n", 401)
                await refused(scope, receive, send)
                return
        await self.app(scope, receive, send)


_UNREAD: Final = SessionMessage(
    protocol.JSONRPCError(
        jsonrpc="2.0",
        id=None,  # nobody knows which question it was
        error=protocol.ErrorData(
            code=protocol.PARSE_ERROR,
            message="this line is no message of JSON-RPC, or is nested too deeply; send one message a line.",
        ),
    )
)


def serve_stdio(folder: Path, version: str) -> None:
    """Serve one client over standard input and output, until it closes them."""

    async def run() -> None:
        server = server_of(folder, version)
        understood, lines = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        async with stdio_server() as (reads, writes), anyio.create_task_group() as beside:

            async def read_on() -> None:
                async with understood:
                    async for line in reads:
                        await (writes.send(_UNREAD) if isinstance(line, Exception) else understood.send(line))

            beside.start_soon(read_on)
            await server.run(lines, writes, server.create_initialization_options())

    anyio.run(run)


def serve_http(folder: Path, version: str, port: int, key: str) -> None:
    """Serve clients of this machine that show the key."""
    import uvicorn

    app = server_of(folder, version).streamable_http_app(stateless_http=True, json_response=True, host="127.0.0.1")
    print(f"http://127.0.0.1:{port}/mcp – Authorization: Bearer {key}", file=sys.stderr, flush=True)
    uvicorn.run(KeyGuard(app, key), host="127.0.0.1", port=port, log_level="warning", access_log=False)
