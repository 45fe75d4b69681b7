"""Relations, budgets, guarantees, composition, levels and odds. No arrays of data."""

from dpviz.domain.relation import Adjacency
from dpviz.privacy.accountant import verify
from dpviz.privacy.budget import DEFAULT_DELTA, Budget
from dpviz.privacy.composition import (
    add_remove_for_replace,
    disjoint_parts,
    epsilon_of_zcdp,
    histogram_l1,
    noise_scale,
    replace_from_add_remove,
    rho_within,
    scale_of_gaussian,
)
from dpviz.privacy.guarantee import Charge, Guarantee, RegionLevel
from dpviz.privacy.levels import (
    LEVELS,
    Level,
    group_table,
    level_by_name,
    level_numbers,
    limits_sentence,
    odds_sentence,
    out_of_100,
)
from dpviz.privacy.regions import Region, cell_parts, read_regions
from dpviz.privacy.sampling import How, Sampling, base_for

__all__ = [
    "DEFAULT_DELTA",
    "LEVELS",
    "Adjacency",
    "Budget",
    "Charge",
    "Guarantee",
    "How",
    "Level",
    "Region",
    "RegionLevel",
    "Sampling",
    "add_remove_for_replace",
    "base_for",
    "cell_parts",
    "disjoint_parts",
    "epsilon_of_zcdp",
    "group_table",
    "histogram_l1",
    "level_by_name",
    "level_numbers",
    "limits_sentence",
    "noise_scale",
    "odds_sentence",
    "out_of_100",
    "read_regions",
    "replace_from_add_remove",
    "rho_within",
    "scale_of_gaussian",
    "verify",
]
