"""The outside view: attacks on what methods publish, with a bound on ε that holds, beside the exact maximum."""

from dpviz.audit.attacks import CONFIDENCE, attack_scores, lower_bound, statistics
from dpviz.audit.pairs import BOX, SIDE, Pair, all_pairs, crowd_for, pairs, records_of, strong_pairs
from dpviz.audit.running import Effort, audit_method, audit_pair, sample

__all__ = [
    "BOX",
    "CONFIDENCE",
    "SIDE",
    "Effort",
    "Pair",
    "all_pairs",
    "attack_scores",
    "audit_method",
    "audit_pair",
    "crowd_for",
    "lower_bound",
    "pairs",
    "records_of",
    "sample",
    "statistics",
    "strong_pairs",
]
