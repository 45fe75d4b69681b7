"""Who may charge a ledger: the matrix of places, ways, units, rules and persons, each cell by a real call."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.domain.parts import Division, Parts
from dpviz.errors import DpvizError, InputError, LedgerRefusal, NotYourRole
from dpviz.ledger import persons
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import HousePolicy, Known, Person, Role, Step, acting_person, host, house_policy
from dpviz.life.publications import publications
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second
from dpviz.publishing.approvals import (
    ChargeRequest,
    NeedsApproval,
    Permit,
    Refused,
    ask_approval,
    permit,
    what_is_needed,
)
from dpviz.publishing.datasets import Dataset
from dpviz.releases.about import About
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest
from dpviz.series.series import (
    Series,
    ask_for_period,
    begin_series,
    charge_of_period,
    publish_period,
    series_of_request,
)

pytestmark = pytest.mark.filterwarnings("ignore::dpviz.publishing.datasets.SameContentWarning")  # many data of one box
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
SIDE = 8
UNITS = {
    "record": Unit(),
    "person": Unit(person_column="rider", cap=2),
    "weights": Unit(weight_column="count", weight_bound=3),
}
RULES = ("no second person", "asked for", "always")
WAYS = ("single", "period", "parts", "correction", "supersede", "stand-in")
PLACES = ("home", "hosted")
ACTORS = ("right role", "wrong role", "nobody")

# ---- the rules, written down once more, without a look at the code ----

NEEDS_ROLE = {
    "single": {"publisher"},
    "period": {"publisher"},
    "parts": {"publisher"},
    "correction": {"publisher", "steward"},
    "supersede": {"publisher", "steward"},
    "stand-in": {"steward"},
}
DRAWS_FROM_RECORDS_FOR_OTHERS = {"single", "period", "parts"}  # what a second person looks at


def expected(place: str, way: str, rule: str, actor: str) -> str:
    """Allowed, or the reason of the refusal."""
    if place == "hosted" and actor != "right role":
        return "not your role"
    if way in DRAWS_FROM_RECORDS_FOR_OTHERS and rule != "no second person":
        return "second person"
    return "allowed"  # for every unit: the room refuses none of them


REASONS: dict[str, tuple[type[DpvizError], str]] = {
    "not your role": (NotYourRole, "this step is for a|only a signed-in person"),
    "second person": (LedgerRefusal, "need a second person"),
}


# ---- a world: one ledger with everything that the ways need ----


def some_counts(seed: int, grid: Grid, unit: Unit) -> ExactCounts:
    return ExactCounts.from_array(grid, np.random.default_rng(seed).poisson(3.0, (grid.side, grid.side)), unit=unit)


@dataclass
class World:
    """Two datasets, a series, and published releases to correct and to supersede."""

    ledger: Ledger
    unit: Unit
    single: Dataset = field(init=False)
    sheet: Dataset = field(init=False)
    layout: Parts = field(init=False)
    series: Series = field(init=False)
    victims: list[str] = field(init=False)
    heir: str = field(init=False)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(8))

    def __post_init__(self) -> None:
        self.layout = Parts(box=BOX, side=SIDE, divisions=(Division(by="weekday"),))
        self.single = self._registered("single", Grid(BOX, SIDE))
        self.sheet = self._registered("sheet", self.layout.sheet)
        self.series = begin_series(
            "trips",
            people="riders",
            whole=Budget(epsilon=50.0),
            box=BOX,
            k=2,
            side=SIDE,
            every="day",
            periods=12,
            unit=self.unit,
            ledger=self.ledger,
        )
        made = [dpviz.publish(self.single, self.request(k), who="Ada").id for k in range(1, 8)]
        self.heir, *self.victims = made[1:]

    def _registered(self, name: str, grid: Grid) -> Dataset:
        data = some_counts(len(name), grid, self.unit)
        return dpviz.register(name, data, total=Budget(epsilon=100.0), ledger=self.ledger, who="Ada")

    def request(self, k: int, **more: Any) -> ReleaseRequest:
        return ReleaseRequest(k=k, budget=Budget(epsilon=0.5), method="uniform_grid", **more)

    def take(self, way: str, who: Person | str) -> None:
        """Go this way to a charge, or to a change of what is published."""
        if way == "single":
            dpviz.publish(self.single, self.request(next(self.numbers)), who=who)
        elif way == "parts":
            request = replace(self.request(next(self.numbers), parts=self.layout), method="auto")
            dpviz.publish(self.sheet, request, who=who)
        elif way == "period":
            data = some_counts(20, Grid(BOX, SIDE), self.unit)
            publish_period(self.series, self.series.next_label() or "2026-01-01", data, who=who)
        elif way == "stand-in":
            number = next(self.numbers)
            data = some_counts(100 + number, Grid(BOX, SIDE), self.unit)
            total = Budget(epsilon=2.0)
            dpviz.register(f"new {number}", data, total=total, ledger=self.ledger, standin_share=0.5, who=who)
        elif way == "correction":
            standing = [one for one in publications(self.ledger) if one.k == 1 and one.state == "published"][-1]
            dpviz.correct(standing.id, About(title="A title"), ledger=self.ledger, why="typing error", who=who)
        else:
            dpviz.supersede(self.victims[-1], by=self.heir, ledger=self.ledger, why="newer", who=who)
            self.victims.pop()

    def holds(self) -> tuple[object, ...]:
        """Everything that a refusal leaves as it was."""
        book = self.ledger
        return len(book.charges()), len(book.datasets()), len(book.notes()), sorted(book.store.iterdir())


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], World]:
    """Worlds by unit, rule and place, made when they are asked for; cells find them as others left them."""
    made: dict[tuple[str, str, str], World] = {}

    def world(unit: str, rule: str, place: str) -> World:
        # an always house is made without its note, so that the policy of the process alone has to bind
        key = (unit, rule, place if rule == "always" else "both")
        if key not in made:
            found = made[key] = World(Ledger(tmp_path_factory.mktemp("world") / "ledger.sqlite3"), UNITS[unit])
            if rule == "asked for":
                for name in ("single", "sheet", "riders"):
                    second.require_second_person(name, ledger=found.ledger, who="Ada")
            elif rule == "always" and place == "home":
                host(HousePolicy(always_second_person=True))
                second.note_house_rule(found.ledger)
                persons._stated.clear()
        return made[key]

    return world


def person_for(place: str, way: str, actor: str) -> Person | str:
    right = {Role(name) for name in NEEDS_ROLE[way]}
    if place == "home":  # nobody has roles: a name that is typed, or the system's
        return {"right role": "Ada", "wrong role": "Eve", "nobody": ""}[actor]
    return {
        "right role": Person(name="piet@city.example", roles=frozenset({sorted(right)[0]})),
        "wrong role": Person(name="eve@city.example", roles=frozenset(set(Role) - right)),
        "nobody": "piet@city.example",
    }[actor]


CELLS = list(itertools.product(PLACES, WAYS, UNITS, RULES, ACTORS))


@pytest.mark.parametrize(("place", "way", "unit", "rule", "actor"), CELLS, ids=lambda part: part.replace(" ", "-"))
def test_each_cell(
    worlds: Callable[[str, str, str], World], place: str, way: str, unit: str, rule: str, actor: str
) -> None:
    world = worlds(unit, rule, place)
    if place == "hosted":
        host(HousePolicy(always_second_person=rule == "always"))
    before, who = world.holds(), person_for(place, way, actor)
    outcome = expected(place, way, rule, actor)
    if outcome == "allowed":
        world.take(way, who)
        assert world.holds() != before
        name = who if isinstance(who, str) else who.name
        rows = world.ledger.notes() if way in ("correction", "supersede") else world.ledger.charges()
        assert rows[-1].who == persons.person_at_work(name)
        assert all(charge.stored for charge in world.ledger.charges())
        return
    kind, reason = REASONS[outcome]
    with pytest.raises(kind, match=reason):
        world.take(way, who)
    assert world.holds() == before


# ---- what the cells leave open ----

REQUEST = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")
PIET = Person(name="piet@city.example", roles=frozenset({Role.PUBLISHER}))
ADA = Person(name="ada@city.example", roles=frozenset({Role.APPROVER}))
ANNA = Person(name="anna@city.example", roles=frozenset({Role.STEWARD}))


@pytest.fixture
def small(ledger: Ledger) -> Dataset:
    data = some_counts(1, Grid(BOX, SIDE), Unit())
    return dpviz.register("trips", data, total=Budget(epsilon=2.0), ledger=ledger, who="root")


@pytest.fixture
def days(ledger: Ledger) -> Series:
    return begin_series(
        "days", people="riders", whole=Budget(epsilon=9.0), box=BOX, k=2, side=SIDE, every="day", ledger=ledger
    )


def day(seed: int = 5) -> ExactCounts:
    return some_counts(seed, Grid(BOX, SIDE), Unit())


def test_a_policy_is_stated_for_good_and_only_gets_stricter() -> None:
    assert house_policy() is None
    host(HousePolicy(always_second_person=True))
    host(HousePolicy(always_second_person=False))
    assert house_policy() == HousePolicy(always_second_person=True)


@pytest.mark.parametrize("who", ["", "anna@city.example", Person(name="anna", known=Known.TYPED), Person(name=" ")])
@pytest.mark.parametrize("step", list(Step))
def test_a_house_knows_nobody_who_is_not_signed_in(who: Person | str, step: Step) -> None:
    host(HousePolicy())
    with pytest.raises(NotYourRole) as refused:
        acting_person(who, step)
    assert refused.value.exit_code == 3 and refused.value.message.count("\n") == 0


def test_a_signed_in_person_needs_the_role_at_home_too(small: Dataset) -> None:
    with pytest.raises(NotYourRole, match="for a publisher; ada@city"):
        dpviz.publish(small, REQUEST, who=ADA)


def test_every_step_around_a_charge_asks_for_its_role(ledger: Ledger, small: Dataset, days: Series) -> None:
    made = dpviz.publish(small, REQUEST, who="Ada").id
    heir = dpviz.publish(small, replace(REQUEST, k=3), who="Ada").id
    host(HousePolicy())
    data, total = day(9), Budget(epsilon=1.0)
    steps: dict[str, Callable[[Any], Any]] = {
        "register": lambda who: dpviz.register("new", data, total=total, ledger=ledger, who=who),
        "member": lambda who: dpviz.register_member("new", data, of="riders", when="2026", ledger=ledger, who=who),
        "people": lambda who: dpviz.begin_population("all", whole=total, unit=Unit(), ledger=ledger, who=who),
        "series": lambda who: begin_series("b", people="c", whole=total, box=BOX, k=2, ledger=ledger, who=who),
        "rule": lambda who: second.require_second_person("trips", ledger=ledger, who=who),
        "withdraw": lambda who: dpviz.withdraw(made, ledger=ledger, why="x", who=who),
        "supersede": lambda who: dpviz.supersede(made, by=heir, ledger=ledger, why="x", who=who),
        "correct": lambda who: dpviz.correct(made, About(title="x"), ledger=ledger, why="x", who=who),
    }
    before = len(ledger.notes()), len(ledger.datasets()), len(ledger.charges())
    for name, step in steps.items():
        for who in ("", "anna@city.example", ADA):
            with pytest.raises(NotYourRole):
                step(who)
            assert (len(ledger.notes()), len(ledger.datasets()), len(ledger.charges())) == before, name
    for name in ("people", "series", "rule", "correct", "register"):
        steps[name](ANNA)


def test_an_approver_publishes_what_was_approved_under_the_name_of_who_asked(small: Dataset) -> None:
    second.require_second_person("trips", ledger=small.ledger, who="root")
    host(HousePolicy())
    wanted = ChargeRequest.of(small, REQUEST)
    assert isinstance(what_is_needed(ADA, wanted), Refused)
    needed = what_is_needed(PIET, wanted)
    assert isinstance(needed, NeedsApproval) and needed.waiting is None
    with pytest.raises(NotYourRole):
        ask_approval(ADA, wanted, "plan")
    asked = ask_approval(PIET, wanted, "plan")
    needed = what_is_needed(PIET, wanted)
    assert isinstance(needed, NeedsApproval) and needed.waiting == asked
    for who in (PIET, ANNA, "ada@city.example", replace(ADA, name="Piet@City.example")):
        with pytest.raises(LedgerRefusal):
            second.approve(small.ledger, asked.id, who=who)
    second.approve(small.ledger, asked.id, who=ADA)
    assert isinstance(what_is_needed(ANNA, wanted), Refused)
    assert permit(ADA, wanted).who == permit(PIET, wanted).who == "piet@city.example"
    for other in (replace(REQUEST, k=3), replace(REQUEST, budget=Budget(epsilon=0.6))):  # approved is one request
        assert isinstance(what_is_needed(ADA, ChargeRequest.of(small, other)), Refused)
        assert isinstance(what_is_needed(PIET, ChargeRequest.of(small, other)), NeedsApproval)
    dpviz.publish(small, REQUEST, who=ADA)
    assert [charge.who for charge in small.ledger.charges()] == ["piet@city.example"]


def test_a_refused_request_can_be_made_again_and_counts_for_nothing(small: Dataset) -> None:
    second.require_second_person("trips", ledger=small.ledger, who="root")
    wanted = ChargeRequest.of(small, REQUEST)
    second.refuse(small.ledger, ask_approval("piet", wanted, "plan").id, who="ada", why="too fine")
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(small, REQUEST, who="piet")
    again = ask_approval("piet", wanted, "a better reason")
    second.approve(small.ledger, again.id, who="ada")
    assert isinstance(what_is_needed("piet", wanted), Permit)


def test_nobody_is_asked_without_need_or_reason(small: Dataset) -> None:
    wanted = ChargeRequest.of(small, REQUEST)
    with pytest.raises(InputError, match="needs no second person"):
        ask_approval("piet", wanted, "plan")
    second.require_second_person("trips", ledger=small.ledger, who="root")
    with pytest.raises(InputError, match="say why"):
        ask_approval("piet", wanted, "  ")
    assert second.requests(small.ledger) == []


def test_a_charge_that_a_crash_left_is_completed_by_two_once_there_is_a_rule(
    small: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("dpviz.publishing.door._drawn_and_stored", crash)
        with pytest.raises(KeyboardInterrupt):
            dpviz.publish(small, REQUEST, who="piet")
    second.require_second_person("trips", ledger=small.ledger, who="root")
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(small, REQUEST, who="piet")
    asked = ask_approval("piet", ChargeRequest.of(small, REQUEST), "plan")
    second.approve(small.ledger, asked.id, who="ada")
    assert isinstance(dpviz.publish(small, REQUEST, who="piet"), Release) and len(small.ledger.charges()) == 1


def test_what_was_published_before_the_rule_is_given_again(small: Dataset) -> None:
    first = dpviz.publish(small, REQUEST, who="piet")
    host(HousePolicy(always_second_person=True))
    assert dpviz.publish(small, REQUEST, who=PIET).id == first.id and len(small.ledger.charges()) == 1


def test_a_refused_period_leaves_nothing_and_an_asked_one_is_registered_alone(days: Series) -> None:
    book = days.ledger
    second.require_second_person("riders", ledger=book, who="root")
    with pytest.raises(LedgerRefusal, match="series publish … --ask"):
        publish_period(days, "2026-01-01", day(), who="piet")
    assert book.datasets() == [] and book.charges() == []
    asked = ask_for_period(days, "2026-01-01", day(), who="piet", why="plan")
    assert asked.dataset == "days 2026-01-01" and book.charges() == [] and days.published() == []
    second.approve(book, asked.id, who="ada")
    with pytest.raises(LedgerRefusal, match="not those that were registered"):
        publish_period(days, "2026-01-01", day(6), who="piet")
    publish_period(days, "2026-01-01", day(), who="piet")
    assert [one.period.label for one in days.published()] == ["2026-01-01"]


def test_an_approval_of_a_period_ends_when_another_period_comes_first(days: Series) -> None:
    book = days.ledger
    second.require_second_person("riders", ledger=book, who="root")
    later = ask_for_period(days, "2026-01-02", day(6), who="piet", why="plan")
    earlier = ask_for_period(days, "2026-01-01", day(), who="piet", why="plan")
    for one in (earlier, later):
        second.approve(book, one.id, who="ada")
    publish_period(days, "2026-01-01", day(), who="piet")
    with pytest.raises(LedgerRefusal, match="published another period since"):
        series_of_request(later.request, ledger=book)
    with pytest.raises(LedgerRefusal, match="second person"):  # its cells and its budget would be others
        publish_period(days, "2026-01-02", day(6), who="piet")
    assert len(book.charges()) == 1


def test_each_request_knows_its_way(small: Dataset, days: Series) -> None:
    parts = replace(REQUEST, method="auto", parts=Parts(box=BOX, side=SIDE, divisions=(Division(by="weekday"),)))
    found = [ChargeRequest.of(small, one).of_standin for one in (REQUEST, parts, replace(REQUEST, purpose="stand-in"))]
    assert found == [False, False, True]
    assert not charge_of_period(days, "2026-01-01").of_standin


def test_an_old_ledger_with_a_data_set_called_everything_binds_only_that(small: Dataset) -> None:
    book = small.ledger
    dpviz.register("everything", day(7), total=Budget(epsilon=1.0), ledger=book, who="root")
    second.require_second_person("everything", ledger=book, who="root")
    assert second.rules(book) == ("everything",) and not second.binds_everything(book)
    assert not second.needs_second_person(book, "trips")
    host(HousePolicy(always_second_person=True))
    second.note_house_rule(book)
    persons._stated.clear()
    assert second.binds_everything(book) and second.rules(book) == ("everything",)
