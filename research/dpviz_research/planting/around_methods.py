"""Bugs planted around the methods: the secure source, readers of persons, sums of charges, what a crash leaves."""

from __future__ import annotations

from dpviz_research.planting.patches import Bug

SOURCE = "the secure source"
PERSONS = "ids of persons"
SUMS = "sums of charges"
CRASH = "after a crash"
FOLDERS = "whole folders"

_SCALES = "what the secure sampler accounts for its scales"
_FOLDERS = "whole folders from forced transcripts"
_WORDS = "where the words of the secure source come from"

BUGS: tuple[Bug, ...] = (
    Bug(
        name="scales above 8 are drawn as whole numbers below them",
        room=SOURCE,
        where="noise.secure:SecureSource.laplace",
        old="rounded, count = rounded_up(scale), checked_size(size)",
        new="rounded, count = rounded_up(scale if scale < 8 else float(int(scale))), checked_size(size)",
        check=_SCALES,
    ),
    Bug(
        name="large Gaussian scales are drawn as whole numbers below them",
        room=SOURCE,
        where="noise.secure:SecureSource.gaussian",
        old="rounded = rounded_up(scale)",
        new="rounded = float(int(scale)) if scale > 8 else rounded_up(scale)",
        check=_SCALES,
    ),
    Bug(
        name="words come from numpy's generator",
        room=SOURCE,
        where="noise.secure:_random_words",
        old="np.frombuffer(os.urandom(8 * size), dtype=np.uint64).copy()",
        new="np.random.default_rng().integers(0, 2**64, size, dtype=np.uint64)",
        check=_WORDS,
    ),
    Bug(
        name="coins come from numpy's generator",
        room=SOURCE,
        where="noise.secure:SecureSource.coins",
        old="words = _random_words(undecided.size)",
        new="words = np.random.default_rng().integers(0, 2**64, undecided.size, dtype=np.uint64)",
        check=_WORDS,
    ),
    Bug(
        name="orders come from numpy's generator",
        room=SOURCE,
        where="noise.secure:SecureSource.permutation",
        old="keys = _random_words(count)",
        new="keys = np.random.default_rng().integers(0, 2**63, count).astype(np.uint64)",
        check=_WORDS,
    ),
    Bug(
        name="selections come from Python's generator",
        room=SOURCE,
        where="noise.secure:SecureSource.select",
        old="whole, times, rate, secrets.randbits",
        new="whole, times, rate, __import__('random').getrandbits",
        check=_WORDS,
    ),
    Bug(
        name="ids with a fraction are cut to whole numbers",
        room=PERSONS,
        where="ingest.conversions:_texts_of_floats",
        old="if bool((whole | missing).all()):",
        new="if True:",
        check="ids of persons",
    ),
    Bug(
        name="ids in large letters are those in small ones",
        room=PERSONS,
        where="ingest.conversions:person_texts",
        old="return column",
        new="return pc.utf8_lower(column) if pa.types.is_string(kind) else column",
        check="ids of persons",
    ),
    Bug(
        name="whole numbers as ids go through floats",
        room=PERSONS,
        where="ingest.conversions:person_texts",
        old="if pa.types.is_floating(kind):",
        new="if pa.types.is_integer(kind):\n        column = column.cast(pa.float64(), safe=False)\n"
        "    if pa.types.is_floating(column.type):",
        check="ids of persons",
    ),
    Bug(
        name="long ids are keyed by their beginning",
        room=PERSONS,
        where="ingest.units.person_keys:PersonHash.keys",
        old="hash_slices(data, begins, ends,",
        new="hash_slices(data, begins, np.minimum(ends, begins + 32),",
        check="ids of persons",
    ),
    Bug(
        name="pure charges in an approximate sum cost what selections cost",
        room=SUMS,
        where="privacy.accountant:_zcdp",
        old="Fraction(charge.epsilon) ** 2 / 2 for charge in pure",
        new="Fraction(charge.epsilon) ** 2 / 8 for charge in pure",
        check="pure charges beside approximate ones",
    ),
    Bug(
        name="pure charges in an approximate sum cost nothing",
        room=SUMS,
        where="privacy.accountant:possible_accounts",
        old="accounts += _zcdp(concentrated, pure, rest, budget)",
        new="accounts += _zcdp(concentrated, pure[:1], rest, budget)",
        check="pure charges beside approximate ones",
    ),
    Bug(
        name="a charge that a crash left is completed on any records",
        room=CRASH,
        where="publishing.door:publish",
        old="check_content(dataset.row, data, ledger)",
        new="charged or check_content(dataset.row, data, ledger)",
        check="what a crash leaves",
    ),
    Bug(
        name="what was charged is completed by whatever method auto means today",
        room=CRASH,
        where="publishing.door:publish",
        old="replace(request, method=charged.request.method)",
        new="request",
        check="what a crash leaves",
    ),
    Bug(
        name="only charges whose release is stored are counted",
        room=CRASH,
        where="ledger.rows:remaining_of",
        old="FROM charges WHERE dataset = ?",
        new="FROM charges WHERE dataset = ? AND key IN (SELECT key FROM stored)",
        check="what a crash leaves",
    ),
    Bug(
        name="the grid of points in a plane hangs on how many there are",
        room="points of a plane",
        where="publishing.mechanism_run:as_taken",
        old="return data.to_counts(GRID_SIDE_FOR_POINTS)",
        new="return data.to_counts(GRID_SIDE_FOR_POINTS if data.exact_total > 2_000 else 512)",
        check="points of a plane on their grid",
    ),
    Bug(
        name="release.json says how many rows the file has",
        room=FOLDERS,
        where="publishing.mechanism_run:run",
        old="return _assembled(prepared, answer, ",
        new="answer = replace(answer, constants={**answer.constants, 'rows': data.report.exact_rows})\n"
        "    return _assembled(prepared, answer, ",
        check=_FOLDERS,
    ),
    Bug(
        name="the total of points is exact",
        room=FOLDERS,
        where="publishing.mechanism_run:run",
        old="return _assembled(prepared, answer, ",
        new="exact = isinstance(data, ExactPoints) and answer.noisy_total is not None\n"
        "    answer = replace(answer, noisy_total=float(data.exact_total)) if exact else answer\n"
        "    return _assembled(prepared, answer, ",
        check=_FOLDERS,
    ),
    Bug(
        name="a file's hints stand among the publisher's words",
        room=FOLDERS,
        where="publishing.mechanism_run:run",
        old="return _assembled(prepared, answer, ",
        new="where = replace(where, about={'note': ' '.join(data.report.hints)} if data.report.hints else {})\n"
        "    return _assembled(prepared, answer, ",
        check=_FOLDERS,
    ),
    Bug(
        name="a dataset of many records has another name",
        room=FOLDERS,
        where="publishing.mechanism_run:run",
        old="return _assembled(prepared, answer, ",
        new="where = replace(where, dataset='crowded' if data.exact_total > 1_000 else None)\n"
        "    return _assembled(prepared, answer, ",
        check=_FOLDERS,
    ),
)
