"""A house with people of five roles, a real sign-in, and a second person: in a Chromium."""

from __future__ import annotations

import csv
import http.client
import io
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dpviz.releases.paths import user_data_folder
from tests.browser.conftest import serious
from tests.browser.houses import House, house, signed_in
from tests.browser.steps import family, readers

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def city(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(project_root, tmp_path_factory.mktemp("city")) as found:
        yield found


Comes = Callable[..., Page]


@pytest.fixture(scope="module")
def signed(browser: Browser) -> Iterator[dict[tuple[str, str], BrowserContext]]:
    """The browsers of those who have signed in, by address and name."""
    kept: dict[tuple[str, str], BrowserContext] = {}
    yield kept
    for context in kept.values():
        context.close()


@pytest.fixture
def comes(browser: Browser, signed: dict[tuple[str, str], BrowserContext]) -> Iterator[Comes]:
    """A person opens a page in their own browser, in which they sign in once; pages are closed after the test."""
    opened: list[Page] = []

    def opens(address: str, name: str, path: str = "/") -> Page:
        if (address, name) in signed:
            opened.append(signed[address, name].new_page())
            opened[-1].goto(address + path)
            opened[-1].wait_for_selector("h1")
        else:
            opened.append(signed_in(browser, address, name, path))
            signed[address, name] = opened[-1].context
        return opened[-1]

    yield opens
    for page in opened:
        page.close()


def status(address: str, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=30)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        return connection.getresponse().status
    finally:
        connection.close()


def test_nothing_is_answered_before_it_is_known_who_asks(city: House) -> None:
    socket = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}
    key = {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    told = {"X_Dpviz_Person": "anna@city.example", "X_Dpviz_Roles": "steward"}
    for address in (city.curators, city.analysts):
        assert status(address, "/") == 303
        for more in ({}, told, {"Cookie": "dpviz-1=x; _streamlit_user=x"}):
            for path in ("/static/index.html", "/_stcore/host-config", "/media/x", "/app/static/style.json"):
                assert status(address, path, **more) in (303, 401)
            assert status(address, "/_stcore/stream", **socket, **key, **more) == 403
        assert status(address, "/", Host="127.0.0.1") == 403
        assert status(address, "/sign-in/back?code=x&state=y") == 403


def test_from_registering_to_reading_with_a_second_person(city: House, comes: Comes) -> None:
    anna = comes(city.curators, "anna", "/data")
    _terms(anna, "mobility plan")
    anna.get_by_role("button", name="Register", exact=True).click()
    anna.wait_for_selector("text=is registered under your name")
    assert serious(anna) == []
    anna.get_by_label("Why the rule is made").fill("decision of the data office")
    anna.keyboard.press("Tab")
    anna.get_by_role("button", name="Ask for a second person").click()
    anna.wait_for_selector("text=From now on whatever is published of “riders” needs a second person")

    piet = comes(city.curators, "piet", "/data")
    for absent in ("Register data", "Audit log"):
        expect(piet.locator("body")).not_to_contain_text(absent, use_inner_text=True)
    piet.get_by_role("button", name="Open and choose").click()
    piet.wait_for_selector(".dpv-map[data-drawn]")
    expect(piet.locator("body")).to_contain_text("until it is published", use_inner_text=True)
    expect(piet.locator("body")).not_to_contain_text("this computer", use_inner_text=True)
    piet.get_by_role("button", name="Publish this level").click()
    piet.get_by_role("button", name="Next", exact=True).click()
    piet.get_by_label("Why it should be published").fill("cycling plan")
    piet.keyboard.press("Tab")
    piet.get_by_role("button", name="Ask for approval").click()
    piet.wait_for_selector("text=It waits for an answer")
    assert not list((city.folder / "store").glob("*.releases/*/release.json"))
    _refused_and_asked_again(city, comes, piet)

    ada = comes(city.curators, "ada")
    expect(ada.locator("[class*=st-key-request]")).to_contain_text("cycling plan, streets")
    ada.goto(city.curators + "/requests")  # her first page, by the name that others know it by
    ada.wait_for_selector("[class*=st-key-request]")
    expect(ada.locator("body")).not_to_contain_text("Page not found", use_inner_text=True)
    for forbidden in ("/choose", "/data"):
        ada.goto(city.curators + forbidden)
        ada.wait_for_selector("h1")
        expect(ada.locator("h1")).to_have_text("Requests")  # behind Streamlit's word that there is no such page
    ada.goto(city.curators)
    ada.wait_for_selector("[class*=st-key-request]")
    ada.get_by_role("button", name="Approve and publish").click()
    ada.wait_for_selector("text=Approved and published")
    assert serious(ada) == []

    anna.goto(city.curators + "/audit")
    with anna.expect_download() as taken:
        anna.get_by_role("button", name="CSV").click()
    text = Path(taken.value.path()).read_text(encoding="utf-8")
    rows = [(row["who"].split("@")[0], row["what"]) for row in csv.DictReader(io.StringIO(text))]
    told = ("registered a dataset", "asked for approval", "refused a release", "approved a release")
    steps = [row for row in rows if row[1] in told]
    assert steps == [("anna", told[0]), ("piet", told[1]), ("ada", told[2]), ("piet", told[1]), ("ada", told[3])]
    assert ("piet", "published") in rows and text.count(",published,") == 1

    ron = comes(city.analysts, "ron")
    ron.wait_for_selector("text=Privacy label")
    for absent in ("Compare", "cycling plan"):
        expect(ron.locator("body")).not_to_contain_text(absent, use_inner_text=True)
    lin = comes(city.analysts, "lin")
    lin.wait_for_selector("text=Compare what was published")


def _terms(anna: Page, why: str) -> None:
    """What a steward states of a new data set."""
    anna.get_by_role("button", name="Read the names").click()
    anna.get_by_placeholder("-74.05, 40.70").fill("-74.05, 40.70, -73.90, 40.80")
    anna.get_by_label("Why (the ledger keeps it)").fill(why)
    anna.keyboard.press("Tab")


def _refused_and_asked_again(city: House, comes: Comes, piet: Page) -> None:
    """The approver refuses with a reason, which who asked reads; the same may be asked for again."""
    bea = comes(city.curators, "ada")
    bea.get_by_role("button", name="Refuse").click()
    bea.wait_for_selector("text=Say why it is refused")
    bea.get_by_label("A word to").fill("say first which streets")
    bea.keyboard.press("Tab")
    bea.get_by_role("button", name="Refuse").click()
    bea.wait_for_selector("text=reads your reason on this page")
    piet.goto(city.curators + "/requests")
    piet.wait_for_selector("text=say first which streets")
    assert not list((city.folder / "store").glob("*.releases/*/release.json"))
    piet.goto(city.curators + "/data")
    piet.get_by_role("button", name="Open and choose").click()
    piet.wait_for_selector(".dpv-map[data-drawn]")
    piet.get_by_role("button", name="Publish this level").click()
    piet.get_by_role("button", name="Next", exact=True).click()
    piet.get_by_label("Why it should be published").fill("cycling plan, streets of the center")
    piet.keyboard.press("Tab")
    piet.get_by_role("button", name="Ask for approval").click()
    piet.wait_for_selector("text=It waits for an answer")


def test_no_path_is_typed_in_a_hosted_house(city: House, comes: Comes) -> None:
    """What would open a file of the server at home leads to data by name."""
    piet = comes(city.curators, "piet")
    piet.wait_for_selector(".dpv-map[data-drawn]")
    piet.get_by_role("button", name="Use your own data").click()
    piet.wait_for_selector("h1:has-text('Data')")
    piet.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")  # nothing of *Choose* is left
    expect(piet.locator("input[type=text]:not([role=combobox])")).to_have_count(0)
    expect(piet.locator("body")).not_to_contain_text("path", ignore_case=True, use_inner_text=True)


def test_a_long_reading_is_cancelled_and_holds_nobody_up(city: House, comes: Comes) -> None:
    """Progress and a way out for who waits; another one's page meanwhile answers as ever."""
    (city.folder / "bicycles.csv").write_bytes(b"lon,lat\n" + b"-73.987654,40.751234\n" * 3_000_000)
    anna = comes(city.curators, "anna", "/data")
    anna.get_by_role("combobox", name="Where the records are").click()
    anna.get_by_role("option", name="Bicycles, a year").click()
    _terms(anna, "bicycle lanes")
    anna.get_by_role("button", name="Register", exact=True).click()
    while not (found := readers(city.process)):
        anna.wait_for_timeout(20)
    (reader,) = found
    os.kill(reader, signal.SIGSTOP)  # it takes as long as the test wants, also where reading is quick
    cancel = anna.get_by_role("button", name="Cancel")
    cancel.wait_for()
    expect(anna.get_by_role("progressbar")).to_be_visible()
    comes(city.curators, "piet", "/requests")  # comes at once
    expect(cancel).to_be_visible()
    cancel.click()
    anna.wait_for_selector("text=The reading was cancelled")
    expect(anna.locator("body")).not_to_contain_text("is registered under your name", use_inner_text=True)
    assert readers(city.process) == []


def test_who_has_no_role_sees_a_sentence_and_signing_out_ends_it(city: House, browser: Browser, comes: Comes) -> None:
    eve = comes(city.curators, "eve")
    expect(eve.locator("body")).to_contain_text("not for you", use_inner_text=True)
    lin = comes(city.curators, "lin")
    expect(lin.locator("body")).to_contain_text(f"Your pages are at {city.analysts}", use_inner_text=True)
    ron = signed_in(browser, city.analysts, "ron")
    (cookie,) = [one for one in ron.context.cookies() if one["name"].startswith("dpviz-") and one["value"] != ""
                 and "sign-in" not in one["name"]]  # fmt: skip
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    shown = f"{cookie['name']}={cookie['value']}"
    assert status(city.analysts, "/", Cookie=shown) == 200
    ron.get_by_role("link", name="Sign out").click()
    ron.wait_for_selector("text=You are signed out")
    assert status(city.analysts, "/", Cookie=shown) == 303


def test_an_upload_lies_on_no_disk_and_is_read_without_one(city: House, comes: Comes) -> None:
    """Every open file of every program of the house, while an upload of 8 MB is held and read."""
    anna = comes(city.curators, "anna", "/data")
    anna.get_by_role("combobox", name="Where the records are").click()
    anna.get_by_role("option", name="A file that I send").click()
    rows = "lon,lat\n" + "-73.987654,40.751234\n" * 400_000
    anna.set_input_files(
        "input[type=file] >> nth=-1", {"name": "mine.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    anna.get_by_role("button", name="Read the names").click()
    seen: set[str] = set()
    deadline = time.monotonic() + 120
    while not anna.get_by_text("Who is protected").is_visible() and time.monotonic() < deadline:
        seen |= {name for process in family(city.process) for name in open_files(process)}
        anna.wait_for_timeout(50)
    seen |= {name for process in family(city.process) for name in open_files(process)}
    expect(anna.get_by_text("Who is protected")).to_be_visible()  # what was sent is still chosen after the reading
    notes = user_data_folder() / "ledgers"  # of the last entry of each ledger
    inside = (
        "/dev/",
        "/proc/",
        "socket:",
        "pipe:",
        "anon_inode:",
        str(city.folder / "store"),
        str(city.folder / "house"),
        str(notes),
    )
    assert len(seen) > 5
    assert [name for name in seen if not name.startswith(inside) and not is_program(name)] == []
    for folder in (city.folder / "store", notes):
        assert b"-73.987654" not in b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


def open_files(process: int) -> set[str]:
    names = set()
    try:
        for entry in os.listdir(f"/proc/{process}/fd"):
            try:
                names.add(os.readlink(f"/proc/{process}/fd/{entry}"))
            except OSError:
                continue
    except OSError:
        return names
    return names


def is_program(name: str) -> bool:
    """What is opened to run: code, libraries, fonts and maps of the installation."""
    own = (sys.base_prefix, sys.prefix, str(Path(__file__).parents[2] / "dpviz"))
    return (
        name.startswith(own)
        or "site-packages" in name
        or name.endswith((".py", ".pyc", ".nbi", ".nbc", ".parquet", ".npz", ".zip"))
        or re.search(r"\.so(\.\d+)*$", name) is not None
    )
