"""A house behind a web server that signs people in: real programs, a real server in front, and a Chromium."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import PATIENCE_MS, free_port
from tests.browser.houses import FILE, ended, started
from tests.browser.proxies import COOKIE, Front, standing
from tests.browser.test_hosted_house import status

pytestmark = pytest.mark.browser
SECRET = "of-the-house-and-of-nobody-else-0123456789"
GROUPS = {"anna": "data-office", "lin": "analysis", "eve": ""}
SIGN_IN = '[sign_in]\nkind = "proxy"\nsecret_variable = "HOUSE_SECRET"\n'


@dataclass(frozen=True)
class Standing:
    """The address of the server in front, of a careless one, and of the program behind."""

    front: str
    careless: str
    behind: str


@pytest.fixture(scope="module")
def city(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    folder = tmp_path_factory.mktemp("behind")
    (folder / "taxi").mkdir()
    front, careless, behind, other = (free_port() for _ in range(4))
    text = FILE.format(curators=behind, analysts=other, provider=1)
    text = text.replace(f'address = "http://localhost:{behind}"', f'address = "http://localhost:{front}"')
    text = text[: text.index("[sign_in]")] + SIGN_IN + text[text.index("[roles]") :]
    (folder / "city.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "dpviz", "serve", "--config", str(folder / "city.toml"), "--part", "curators"]
    health = f"http://localhost:{behind}/_stcore/health"
    program = started(command, folder / "house.txt", health, project_root, HOUSE_SECRET=SECRET)
    fronts = (Front(front, behind, SECRET, GROUPS), Front(careless, behind, SECRET, GROUPS, adds_only=True))
    try:
        with standing(*fronts):
            yield Standing(*(f"http://localhost:{port}" for port in (front, careless, behind)))
    finally:
        ended(program)


def test_who_goes_past_the_server_in_front_is_nobody(city: Standing) -> None:
    host = city.front.removeprefix("http://")
    named = {"X_Forwarded_Email": "anna@city.example", "X_Forwarded_Groups": "data-office"}
    for more in ({}, named, {**named, "X_Dpviz_Key": "a guess"}, {**named, "X_Dpviz_Key": ""}):
        for path in ("/", "/static/index.html", "/_stcore/host-config", "/media/x"):
            assert status(city.behind, path, Host=host, **more) == 401
    assert status(city.behind, "/", Host=host, X_Dpviz_Person="anna@city.example", X_Dpviz_Roles="steward") == 401


def test_what_a_browser_says_about_itself_is_not_believed(city: Standing) -> None:
    forged = {"X_Forwarded_Email": "anna@city.example", "X_Forwarded_Groups": "data-office", "X_Dpviz_Key": SECRET}
    assert status(city.front, "/", Cookie=f"{COOKIE}=anna") == 200
    for person, answer in (("eve", 403), ("lin", 403), ("", 401)):
        more = {"X_Dpviz_Roles": "steward", "X_Dpviz_Person": "anna@city.example"}
        assert status(city.front, "/", Cookie=f"{COOKIE}={person}", **forged, **more) == answer
    # a careless server that only adds its headers: what is said twice is not believed
    host = city.front.removeprefix("http://")
    for name, answer in (("X_Forwarded_Email", 401), ("X_Forwarded_Groups", 403), ("X_Dpviz_Key", 401)):
        more = {name: forged[name]}
        assert status(city.careless, "/", Host=host, Cookie=f"{COOKIE}=eve", **more) == answer


def test_a_steward_works_through_it_in_a_browser(city: Standing, browser: Browser) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    context.add_cookies([{"name": COOKIE, "value": "anna", "url": city.front}])
    page = context.new_page()
    page.goto(city.front + "/data")
    page.wait_for_selector("text=Register data")
    page.get_by_text("anna@city.example").first.wait_for()
    context.close()
