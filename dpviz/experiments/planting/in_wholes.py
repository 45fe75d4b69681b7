"""Bugs planted into what runs methods as parts of a whole: the choice by size, and parts of time in one release."""

from __future__ import annotations

from dpviz.experiments.planting.patches import Bug

SIZE = "by_size"
TIME = "by_time"

BUGS: tuple[Bug, ...] = (
    Bug(
        name="the exact number of records chooses",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old="auto.choose(public, plan.k, rest, float(noisy_n))",
        new="auto.choose(public, plan.k, rest, float(data.exact_total))",
        check="transcripts of by_size",
    ),
    Bug(
        name="half the noise on the number that chooses",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old="scale = noise_scale(touched, counting.epsilon)",
        new="scale = noise_scale(touched, 2 * counting.epsilon)",
        check="transcripts of by_size",
    ),
    Bug(
        name="a person with a cap moves the number by one",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old="touched = histogram_l1(public.relation, public.unit)",
        new="touched = 1.0",
        check="transcripts of by_size",
    ),
    Bug(
        name="the exact number of records is published",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old='"chosen_for_records": noisy_n,',
        new='"chosen_for_records": data.exact_total,',
        check="transcripts of by_size",
    ),
    Bug(
        name="the chosen method spends the whole budget again",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old="rest = Budget(epsilon=main.epsilon)",
        new="rest = plan.budget",
        check="transcripts of by_size",
    ),
    Bug(
        name="what the number cost is not subtracted",
        room=SIZE,
        where="mechanisms.by_size:BySize.plan",
        old="floor_float(whole - Fraction(counting.epsilon))",
        new="floor_float(whole)",
        check="transcripts of by_size",
    ),
    Bug(
        name="nothing is bought where nobody is",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old="scale, sensitivity=touched)[0])",
        new="scale, sensitivity=touched)[0]) if data.exact_total else 0",
        check="transcripts of by_size",
    ),
    Bug(
        name="a row counts in its hour and in the next",
        room=TIME,
        where="ingest.by_time:read_by_time",
        old="np.add.at(sheet, at[at >= 0], 1)",
        new="np.add.at(sheet, at[at >= 0], 1); np.add.at(sheet, (at[at >= 0] + 8) % len(sheet), 1)",
        check="rows and parts of time",
    ),
    Bug(
        name="a row without a time takes the time of the row before",
        room=TIME,
        where="ingest.by_time:part_of",
        old="return found",
        new="return pd.Series(found).replace(-1, np.nan).ffill().fillna(-1).to_numpy(np.int64)",
        check="rows and parts of time",
    ),
    Bug(
        name="hours are counted from the earliest row",
        room=TIME,
        where="ingest.by_time:part_of",
        old="known &= (seconds >= _FIRST)",
        new="seconds = seconds - seconds[known].min(initial=2**40) % 86400; known &= (seconds >= _FIRST)",
        check="rows and parts of time",
    ),
    Bug(
        name="cells that hold fewer than three are emptied",
        room=TIME,
        where="ingest.by_time:read_by_time",
        old="report.note_total(int(sheet.sum()))",
        new="report.note_total(int(sheet.sum())); sheet[sheet < 3] = 0",
        check="rows and parts of time",
    ),
    Bug(
        name="only parts that hold somebody get a tile",
        room=TIME,
        where="ingest.by_time:read_by_time",
        old="at = parts.cells_of(part, cell)",
        new="at = parts.cells_of(np.where(part < 0, -1, np.searchsorted(np.unique(part[part >= 0]), part)), cell)",
        check="rows and parts of time",
    ),
    Bug(
        name="nobody is asked whether rows are persons",
        room=TIME,
        where="ingest.by_time:read_by_time",
        old="settle_unit(tables, pairs, person=None, stated=protect)",
        new="pass",
        check="rows and parts of time",
    ),
)
