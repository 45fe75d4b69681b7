"""Relations, budgets, guarantees, composition, levels and odds. No arrays of data."""

from dpviz.domain.relation import Adjacency, Unit
from dpviz.privacy.accountant import Account, verify
from dpviz.privacy.budget import DEFAULT_DELTA, Budget
from dpviz.privacy.composition import (
    PerRound,
    add_remove_for_replace,
    basic,
    delta_of_zcdp,
    disjoint_parts,
    epsilon_of_zcdp,
    moved_record,
    per_round,
    replace_from_add_remove,
    replace_rho_from_add_remove,
    rho_of_gaussian,
    rho_of_pure,
    rho_of_selection,
    rho_within,
    scale_of_gaussian,
)
from dpviz.privacy.group import (
    GroupGuarantee,
    amplified_group,
    best_group_guarantee,
    group_guarantees,
    group_table,
    naive_group,
    sampled_group,
)
from dpviz.privacy.guarantee import Charge, Guarantee, RegionLevel
from dpviz.privacy.levels import LEVELS, Level, level_by_name, level_numbers
from dpviz.privacy.odds import (
    chance_of_guessing_right,
    limits_sentence,
    odds_sentence,
    out_of_100,
    thing,
)
from dpviz.privacy.regions import Region, read_regions
from dpviz.privacy.sampling import How, Sampling, amplified, base_for
from dpviz.privacy.sensitivity import histogram_l1, histogram_l2, noise_scale

__all__ = [
    "DEFAULT_DELTA",
    "LEVELS",
    "Account",
    "Adjacency",
    "Budget",
    "Charge",
    "GroupGuarantee",
    "Guarantee",
    "How",
    "Level",
    "PerRound",
    "Region",
    "RegionLevel",
    "Sampling",
    "Unit",
    "add_remove_for_replace",
    "amplified",
    "amplified_group",
    "base_for",
    "basic",
    "best_group_guarantee",
    "chance_of_guessing_right",
    "delta_of_zcdp",
    "disjoint_parts",
    "epsilon_of_zcdp",
    "group_guarantees",
    "group_table",
    "histogram_l1",
    "histogram_l2",
    "level_by_name",
    "level_numbers",
    "limits_sentence",
    "moved_record",
    "naive_group",
    "noise_scale",
    "odds_sentence",
    "out_of_100",
    "per_round",
    "read_regions",
    "replace_from_add_remove",
    "replace_rho_from_add_remove",
    "rho_of_gaussian",
    "rho_of_pure",
    "rho_of_selection",
    "rho_within",
    "sampled_group",
    "scale_of_gaussian",
    "thing",
    "verify",
]
