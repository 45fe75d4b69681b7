"""Bugs planted in joint releases: the shares of noise, the secret sums, the agreement, the charge."""

from __future__ import annotations

from dpviz_research.planting.patches import Bug, Piece

JOINT = "joint"

_LAW = "Pólya variables have their law"
_NOISE = "the noise of the honest holders"
_SUMS = "sums of holders as they are"
_DEVIATIONS = "holders that deviate end the run"
_AGREEMENT = "holders agree before the charge"
_CHARGE = "charged before the first share"


def _bug(name: str, check: str, where: str, old: str, new: str, *also: Piece) -> Bug:
    return Bug(name=name, room=JOINT, where=where, old=old, new=new, check=check, also=also)


BUGS = (
    _bug(
        "a share has a smaller scale",
        _NOISE,
        "noise.shares:laplace_shares",
        "1 / Fraction(rounded_up(scale))",
        "1 / Fraction(rounded_up(0.8 * scale))",
    ),
    _bug("a share is one of all holders", _NOISE, "joint.plan:JointPlan.parts", "- self.pooling", ""),
    _bug(
        "one holder forgets its share",
        _NOISE,
        "joint.source:JointSource.add_laplace",
        "int(a) + int(b) for a, b",
        "int(a) + int(b) * (self._circle.place != 2) for a, b",
    ),
    _bug(
        "the coins of a round are used in the next",
        _NOISE,
        "joint.source:JointSource.add_laplace",
        "shares = laplace_shares(scale, own.size, self._plan.parts)",
        "shares = vars(self._plan).setdefault(f'kept{self._circle.place}', "
        "laplace_shares(scale, own.size, self._plan.parts))",
    ),
    _bug(
        "the product of the Poisson variable is not raised to its power",
        _LAW,
        "noise.shares:Polya._product_is_below",
        "for _ in range(self._parts):",
        "for _ in range(1):",
    ),
    _bug(
        "far blocks are not weighed again",
        _LAW,
        "noise.shares:Polya._logarithmic",
        "block, times = block + 1, 2 * times",
        "block = block + 1",
    ),
    _bug(
        "places of a block are all alike",
        _LAW,
        "noise.shares:Polya._logarithmic",
        "self._uniform(value) < start and",
        "",
    ),
    _bug(
        "numbers are centered for a smaller modulus",
        _SUMS,
        "joint.source:JointSource._recombined",
        "((int(value) + MODULUS // 2) % MODULUS) - MODULUS // 2",
        "((int(value) + (1 << 60)) % (1 << 61)) - (1 << 60)",
    ),
    _bug(
        "questions are not compared",
        _DEVIATIONS,
        "joint.source:JointSource._opened",
        'if facts.get("question") != question:',
        "if False:",
    ),
    _bug(
        "sums beyond those that are needed are not looked at",
        _DEVIATIONS,
        "joint.source:JointSource._recombined",
        "zip(spare, checks, strict=True)",
        "()",
    ),
    _bug(
        "the plan's budget is not in its digest", _AGREEMENT, "joint.plan:JointPlan.digest", "self.facts()", "self.id"
    ),
    _bug(
        "a plan that was changed after the check is not noticed",
        _AGREEMENT,
        "joint.circle:Circle._agree",
        'if facts.get("plan") != said["plan"]:',
        "if False:",
    ),
    _bug(
        "a clock that is no number is taken",
        _AGREEMENT,
        "joint.circle:Circle._agree",
        "not abs(given - clock) <= _MOST_APART_SECONDS",
        "abs(given - clock) > _MOST_APART_SECONDS",
    ),
    _bug(
        "rehearsals are not compared",
        _AGREEMENT,
        "joint.circle:Circle.compare",
        'if facts.get("digest") != own:',
        "if False:",
    ),
    _bug(
        "the others are told of a charge that is not written",
        _CHARGE,
        "publishing.joint_door:publish_jointly",
        "charge_once(allowed, charge)",
        "charge",
    ),
    _bug(
        "the others are told after the first share",
        _CHARGE,
        "publishing.joint_door:publish_jointly",
        "others.tell_charged()\n        outcome = run(prepared, data, noise, where)",
        "outcome = run(prepared, data, noise, where)\n        others.tell_charged()",
    ),
)
