"""Bugs in trips that are released with a map of each end."""

from __future__ import annotations

from dpviz_research.planting.patches import Bug, Piece

TRIPS, CHECK = "trips", "transcripts of trips"
RUN, PLAN, SEEN = (f"mechanisms.trip_ends:{name}" for name in ("TripEnds.run", "TripEnds.plan", "see_from_end"))

BUGS: tuple[Bug, ...] = (
    Bug(
        name="each map spends what both have",
        room=TRIPS,
        where=RUN,
        old="share = Budget(epsilon=charge.epsilon)",
        new="share = Budget(epsilon=2 * charge.epsilon)",
        check=CHECK,
    ),
    Bug(
        name="the trips spend everything and the maps come on top",
        room=TRIPS,
        where=RUN,
        old="share = Budget(epsilon=trips.epsilon)",
        new="share = plan.budget",
        check=CHECK,
    ),
    Bug(
        name="the charge leaves the second map out",
        room=TRIPS,
        where=PLAN,
        old="charges=(trips, *ends),",
        new="charges=(trips, ends[0]),",
        check=CHECK,
    ),
    Bug(
        name="both maps are charged once",
        room=TRIPS,
        where=PLAN,
        old="floor_float(whole - 2 * Fraction(each))",
        new="floor_float(whole - Fraction(each))",
        check=CHECK,
    ),
    Bug(
        name="both maps are charged once, and the charges hide it",
        room=TRIPS,
        where=PLAN,
        old="charges=(trips, *ends),",
        new="charges=(Charge(name=TRIPS, epsilon=floor_float(whole - Fraction(each))), ends[0]),",
        also=(
            Piece(where=RUN, old="trips, *ends = plan.charges", new="trips, both = plan.charges; ends = [both, both]"),
        ),
        check=CHECK,
    ),
    Bug(
        name="the maps add up to the exact number of trips",
        room=TRIPS,
        where="mechanisms.trip_ends:TripEnds.run",
        old="maps.append(found.cells)",
        new="maps.append(_bring_to_total(float(data.exact_total), found.cells))",
        check=CHECK,
    ),
    Bug(name="a map protects one trip of a person", room=TRIPS, where=SEEN, old="unit=data.unit,", new="", check=CHECK),
    Bug(
        name="a map takes a replaced row for one that is added",
        room=TRIPS,
        where=SEEN,
        old="relation=data.relation,",
        new="",
        check=CHECK,
    ),
)
