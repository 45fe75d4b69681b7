"""Bugs planted into `mean_split`: what a record may add, what the purse holds, and what rules may look at."""

from __future__ import annotations

from dpviz_research.planting.patches import Bug

ROOM = "mean_split"
CHECK = "transcripts of mean_split"
_PACKAGE = "mechanisms.mean_split"

BUGS: tuple[Bug, ...] = (
    Bug(
        name="long offsets are not shortened",
        room=ROOM,
        where=f"{_PACKAGE}.queries:shortened",
        old="longest = np.maximum(np.sqrt(squared_lengths(steps)), reach)",
        new="longest = np.full(len(steps), reach)",
        check=CHECK,
    ),
    Bug(
        name="a record's being there counts a whole radius beside its offset",
        room=ROOM,
        where=f"{_PACKAGE}.queries:with_person",
        old="float(radius // PERSON_PART)",
        new="float(radius)",
        check=CHECK,
    ),
    Bug(
        name="the purse never empties",
        room=ROOM,
        where=f"{_PACKAGE}.queries:Purse.take",
        old="self.left -= taken",
        new="pass",
        check=CHECK,
    ),
    Bug(
        name="persons and replaced records cost as one added record",
        room=ROOM,
        where=f"{_PACKAGE}.queries:Purse.of",
        old="units = units_touched(public)",
        new="units = 1",
        check=CHECK,
    ),
    Bug(
        name="ρ is divided among a unit's records as ε is",
        room=ROOM,
        where=f"{_PACKAGE}.queries:Purse.of",
        old="Fraction(charge.rho) / units**2",
        new="Fraction(charge.rho) / units",
        check=CHECK,
    ),
    Bug(
        name="the exact number of records divides sums",
        room=ROOM,
        where=f"{_PACKAGE}.mechanism:_total",
        old="return max(1.0, total)",
        new="return max(1.0, float(data.exact_total))",
        check=CHECK,
    ),
    Bug(
        name="exact counts of cells say which are cut",
        room=ROOM,
        where=f"{_PACKAGE}.partition:_cut",
        old="believed = np.maximum(noisy + missing[:, None], 0.0).ravel()",
        new="believed = sizes[halves].astype(float).ravel()",
        check=CHECK,
    ),
    Bug(
        name="leaves that hold nobody get no noise",
        room=ROOM,
        where=f"{_PACKAGE}.partition:measured_cells",
        old="noisy = purse.add_to_rows(exact_answer(data, asked), spend)",
        new="rows = exact_answer(data, asked)\n    noisy = purse.add_to_rows(rows, spend) * rows.any(axis=1)[:, None]",
        check=CHECK,
    ),
    Bug(
        name="the reach of a step is the one of exact counts",
        room=ROOM,
        where=f"{_PACKAGE}.mechanism:_moved",
        old="counted = np.where(counted > SEEN * purse.count_deviation(for_reaches), counted, 0.0)",
        new="counted = exact_answer(data, asked).astype(float)",
        check=CHECK,
    ),
    Bug(
        name="every step spends all that is left",
        room=ROOM,
        where=f"{_PACKAGE}.mechanism:walked",
        old="purse.left -= spend",
        new="spend = purse.left",
        check=CHECK,
    ),
    Bug(
        name="rows are longer than their price allows, by the steepness of the mixture",
        room="noise",
        where="noise.spherical:radius_within",
        old="Fraction(scale) / STEEPNESS",
        new="Fraction(scale)",
        check="laws of the noise that is added",
    ),
    Bug(
        name="spherical noise of half the scale",
        room="noise",
        where="noise.spherical:spherical_laplace",
        old="node * scale",
        new="node * scale / 2",
        check="laws of the noise that is added",
    ),
)
