"""The plan of a joint release: what is refused, and that a file says all of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpviz.domain.public_map import PriorMap
from dpviz.errors import InputError
from dpviz.joint.plan import make_plan, read_plan
from dpviz.privacy import Budget
from tests.unit.joint.holders import BOX, REQUEST, Holders


def test_a_plan_survives_its_file(three: Holders, tmp_path: Path) -> None:
    file = tmp_path / "joint.toml"
    for plan in (three.plan, replace(three.plan, title='Fleets of “Zürich” \\ "one" 😀')):
        plan.save(file)
        assert read_plan(file) == plan
        assert read_plan(file).digest == plan.digest
    assert replace(three.plan, pooling=0).digest != three.plan.digest


def test_a_certificate_is_the_same_at_every_call_and_names_the_key_that_signs(three: Holders) -> None:
    assert three.pinned(three.plan) == three.plan
    terms = three.plan.request_of_run("0").joint
    assert terms is not None and len({key for _, key in terms.holders}) == 3


@pytest.mark.parametrize(
    ("holders", "more"),
    [
        (["a=x:1", "b=x:2"], {}),
        (["a=x:1", "a=x:2", "c=x:3"], {}),
        (["a=x:1", "b=x:1", "c=x:3"], {}),
        (["a=x:1", "b=x:2", "c=x"], {}),
        (["A b=x:1", "b=x:2", "c=x:3"], {}),
        (["a=x:1", "b=x:2", "c=x:70000"], {}),
        (["a=x:1", "b=x:2", "c=x:3"], {"pooling": 2}),
        (["a=x:1", "b=x:2", "c=x:3"], {"pooling": -1}),
        (["a=x:1", "b=x:2", "c=x:3"], {"side": 100}),
        (["a=x:1", "b=x:2", "c=x:3"], {"request": replace(REQUEST, method="peeled_balls")}),
        (["a=x:1", "b=x:2", "c=x:3"], {"request": replace(REQUEST, budget=Budget(epsilon=1.0, delta=1e-9))}),
        (["a=x:1", "b=x:2", "c=x:3"], {"request": replace(REQUEST, prior=PriorMap(name="m", digest="0" * 64))}),
        (["a=x:1", "b=x:2", "c=x:3"], {"title": "line\x07"}),
    ],
)
def test_plans_that_cannot_be_run_are_refused(holders: list[str], more: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        make_plan(holders, **{"box": BOX, "request": REQUEST, **more})


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ('version = "1.0.0"', 'version = "0.9"'),
        ("dpviz_joint_plan = 1", "dpviz_joint_plan = 2"),
        ("side = 64", 'side = "64"'),
        ("[[holder]]", "[holder]"),
        ('title = "Fleets"', "title = Fleets"),
        ('method = "adaptive_tree"', 'method = "peeled_balls"'),
    ],
)
def test_a_file_that_is_no_plan_is_refused(three: Holders, tmp_path: Path, line: str, other: str) -> None:
    text = three.plan.to_toml()
    assert line in text
    (tmp_path / "joint.toml").write_text(text.replace(line, other), encoding="utf-8")
    with pytest.raises(InputError):
        read_plan(tmp_path / "joint.toml")
