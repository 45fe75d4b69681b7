"""Bugs planted into what runs methods as parts of a whole: the choice by size, and parts of time in one release."""

from __future__ import annotations

from dpviz_research.planting.patches import Bug

SIZE = "by_size"
PARTS = "parts"

BUGS: tuple[Bug, ...] = (
    Bug(
        name="the exact number of records chooses",
        room=SIZE,
        where="mechanisms.by_size:BySize.run",
        old="forecast.choose_by_forecast(public, plan.k, rest, float(noisy_n))",
        new="forecast.choose_by_forecast(public, plan.k, rest, float(data.exact_total))",
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
        name="a row counts in its part twice",
        room=PARTS,
        where="ingest.batches:settled",
        old="return replace(batch, axes=axes, places=places, steps=steps, levels=levels, cut=cut)",
        new="return replace(batch, axes=tuple(np.tile(axis, 2) for axis in axes), rows=2 * batch.rows, places=places)",
        check="rows and parts",
    ),
    Bug(
        name="a row without a time takes the time of the row before",
        room=PARTS,
        where="ingest.parts:_part_of_times",
        old="return found",
        new="return pd.Series(found).replace(-1, np.nan).ffill().fillna(-1).to_numpy(np.int64)",
        check="rows and parts",
    ),
    Bug(
        name="hours are counted from the earliest row",
        room=PARTS,
        where="ingest.parts:_part_of_times",
        old="known &= (seconds >= _FIRST)",
        new="seconds = seconds - seconds[known].min(initial=2**40) % 86400; known &= (seconds >= _FIRST)",
        check="rows and parts",
    ),
    Bug(
        name="cells that hold fewer than three are emptied",
        room=PARTS,
        where="ingest.readers:count_records",
        old="work.report.note_total(int(cells.sum()))",
        new="work.report.note_total(int(cells.sum())); cells[cells < 3] = 0",
        check="rows and parts",
    ),
    Bug(
        name="only parts that hold somebody get a tile",
        room=PARTS,
        where="ingest.parts:sheet_places",
        old="at, sheet = parts.cells_of(part, cell), parts.sheet",
        new="some = np.searchsorted(np.unique(part[part >= 0]), part); "
        "at, sheet = parts.cells_of(np.where(part < 0, -1, some), cell), parts.sheet",
        check="rows and parts",
    ),
    Bug(
        name="the values of a column are listed as they come",
        room=PARTS,
        where="ingest.parts:_part_of_values",
        old="known.get(spelled(value), len(known))",
        new="min(values.index(value), len(known))",
        check="rows and parts",
    ),
    Bug(
        name="values that are rare count as others",
        room=PARTS,
        where="ingest.parts:_part_of_values",
        old="return places[at]",
        new="return np.where(np.bincount(at + 1)[at + 1] < 2, len(known), places[at])",
        check="rows and parts",
    ),
    Bug(
        name="all persons take the first part of anybody",
        room=PARTS,
        where="ingest.readers:OnePartEach._settled",
        old="np.minimum.at(first, person, digits[number])",
        new="first[:] = digits[number].min(initial=9)",
        check="persons and parts",
    ),
    Bug(
        name="the cap is held in every part",
        room=PARTS,
        where="ingest.readers:OnePartEach.add_kept_to",
        old="CappedRows.add_kept_to(self, cells, cap, hashed)",
        new="CappedRows.add_kept_to(self, cells, cap * len(self.parts.names), hashed)",
        check="persons and parts",
    ),
    Bug(
        name="nobody is asked whether rows are persons",
        room=PARTS,
        where="ingest.reading_steps:Work.begin",
        old="settle_unit(tables, names, person=reading.person, stated=reading.protect)",
        new="pass",
        check="rows and parts",
    ),
)
