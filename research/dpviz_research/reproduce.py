"""The registry of the papers' tables and figures: `python -m dpviz reproduce NAME`. Papers are imported when named."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from dpviz.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """One table or figure: what it shows, and the function that makes it again.

    The function takes `out`, `quick` and `data` (a folder with files that the user brings, or None) and gives the
    files that it wrote.
    """

    title: str
    module: str
    function: str

    def run(self, *, out: Path, quick: bool, data: Path | None) -> list[Path]:
        """Make it."""
        job: Callable[..., list[Path]] = getattr(import_module(self.module), self.function)
        return job(out=out, quick=quick, data=data)


_PAPERS = "dpviz_research.papers"

# name: (module, function, title), by paper, in the paper's order.
_TABLE: dict[str, tuple[str, str, str]] = {
    "ipsn17-table2": (f"{_PAPERS}.feldman2017", "table_2", "smallest ε that answers, for every k and N, both variants"),
    "ipsn17-fig3": (f"{_PAPERS}.feldman2017_time", "figure_3", "running time against N in two dimensions"),
    "ipsn17-fig4": (f"{_PAPERS}.feldman2017_time", "figure_4", "running time against N in four dimensions"),
    "ipsn17-fig5": (f"{_PAPERS}.feldman2017", "figure_5", "error and coreset size against ε"),
    "ipsn17-fig6": (f"{_PAPERS}.feldman2017", "figure_6", "error against the number of clusters"),
    "ipsn17-fig7": (f"{_PAPERS}.feldman2009", "figure_7", "error and size against the private coreset of 2009"),
    "ipsn17-fig8": (f"{_PAPERS}.feldman2017_maps", "figure_8", "coreset and centers on the map, by level"),
    "su2016-fig1": (f"{_PAPERS}.su2016", "figure_1", "NICV against ε: DPLloyd, EUGkM, PGkM, GkM, GkM-3K"),
    "su2016-fig2": (f"{_PAPERS}.su2016_synthetic", "figure_2", "NICV over the baseline for 2 to 10 clusters and axes"),
    "su2016-fig3": (f"{_PAPERS}.su2016_parts", "figure_3", "GkM by block size: aggregation and noise apart"),
    "su2016-fig4": (f"{_PAPERS}.su2016_parts", "figure_4", "convergence of genetic search and Lloyd, not private"),
    "su2016-fig5": (f"{_PAPERS}.su2016", "figure_5", "NICV against ε: hybrid, EUGkM, DPLloyd; the printed values"),
    "su2016-fig6": (f"{_PAPERS}.su2016_synthetic", "figure_6", "hybrid and EUGkM for 2 to 10 clusters and axes"),
    "su2016-fig7": (f"{_PAPERS}.su2016", "figure_7", "run time of DPLloyd and EUGkM at ε = 0.1"),
    "su2016-printed": (
        f"{_PAPERS}.su2016",
        "printed_values",
        "every number in the paper's text, where you have its data",
    ),
    "blocki2021-sample": (f"{_PAPERS}.blocki2021", "sample_cost", "cost of a sample's centers as the sample grows"),
    "blocki2021-groups": (f"{_PAPERS}.blocki2021", "group_privacy", "(Tε, δ_T) against gε for groups of records"),
    "nguyen2021-fig1": (f"{_PAPERS}.nguyen2021", "figure_1", "k-means objective in R¹⁰⁰: grid_cover, balcan, Lloyd"),
    "evidence-attacks": (
        "dpviz_research.privacy_evidence",
        "attacks",
        "attacks on every method beside the exact maximum of each pair of files",
    ),
    "evidence-planted": ("dpviz_research.privacy_evidence", "planted", "privacy bugs put into the code, and found"),
    "evidence": ("dpviz_research.evidence", "record", "the experiments shown on the page Evidence"),
}

REPRODUCTIONS: dict[str, Reproduction] = {
    name: Reproduction(title=title, module=module, function=function)
    for name, (module, function, title) in _TABLE.items()
}


def reproduce(name: str, *, out: Path, quick: bool = False, data: Path | None = None) -> list[Path]:
    """Write one table or figure into a folder: numbers as CSV, figures as SVG and PNG."""
    if name not in REPRODUCTIONS:
        raise InputError(f"{name!r} is not known; use one of {', '.join(REPRODUCTIONS)}.", name=name)
    if data is not None and not Path(data).is_dir():
        raise InputError(f"--data {Path(data).name!r} is not a folder; give the folder that holds your data files.")
    from dpviz_research.papers.records import commit

    commit()  # now: a long run must not be dated by a commit that came after it began
    Path(out).mkdir(parents=True, exist_ok=True)
    wall, cpu = time.perf_counter(), time.process_time()
    written = REPRODUCTIONS[name].run(out=Path(out), quick=quick, data=None if data is None else Path(data))
    if not REPRODUCTIONS[name].module.endswith("evidence"):
        spent = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
        written = [*written, note_time(Path(out), {"name": name, "quick": quick, **spent})]
    return written


def note_time(out: Path, row: dict[str, object]) -> Path:
    """Keep how long each name took beside its files, the last run of each."""
    from dpviz_research.papers.records import write_table

    path = out / "run-times.csv"
    kept: list[dict[str, object]] = []
    if path.is_file():
        kept = [dict(line) for line in csv.DictReader(path.read_text(encoding="utf-8").splitlines())]
    return write_table([*(line for line in kept if line["name"] != row["name"]), row], path)
