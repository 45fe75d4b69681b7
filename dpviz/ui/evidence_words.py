"""What the page *Evidence* says beside the records themselves."""

from __future__ import annotations

TITLE = "What this rests on"
TABS = ("Methods", "Error and speed", "Audits", "Promise and limits")
METHODS_NOTE = (
    "Each method follows a published paper and has a proof beside its code. *Checked* means that a second reader went "
    "through proof and code."
)
NO_RECORDS = "No experiment has been recorded in this copy yet. Run `python -m dpviz bench` to record some."
NO_AUDITS = "No audit has been recorded in this copy yet. Run `python -m dpviz audit METHOD` to make one."
AUDITS_NOTE = (
    "An audit attacks a method many times and works out how much it gives away at least. It is wrong at most once in "
    "1,000 times. A result above the claim points to a fault; a result below it proves nothing more."
)
NO_PAGE = "The page {name} is not part of this copy."
PAGES = {"PROMISE.md": "The promise", "LIMITS.md": "The limits"}
MORE_RECORDS = "More records"
FIRST_RECORDS = ("error-by-level", "speed", "accuracy-summary", "accuracy")  # in this order; the others after them
CELL = "Data, records and clusters"
N, K, ONE = "{n} records", "{k} clusters", "1 cluster"
CHART_NOTE = (
    "Up: added error, in steps that multiply. Across: {across}, with more privacy to the right. A triangle at the "
    "floor: an error too small for the digits that were kept."
)
CHART_LEVELS, CHART_BUDGETS = "the levels of the slider, 1 to 7", "the privacy budgets of the paper"
DETAILS = "Details"
DETAILS_PAGE = "Details: the whole page, with its symbols"
DETAILS_COLUMNS = "*Privacy budget* is ε, *failure chance* is δ. A larger budget gives more away."
LEVEL = "level “{level}”"
IN_PLAIN_WORDS = {  # records whose own words need symbols
    "groups": "What a release protects when one person has many records: on all of them, and on a secret sample.",
}
CHART_ALT = "Error by method, privacy rising to the right. "
AUDIT_SUMMARY = "{attacks} attacks, the strongest on each method"
AUDIT_ALL = "All {attacks} attacks"
AUDIT_COLUMNS = ("Method", "Attacks", "Claimed", "Given away at least", "Of the claim", "Above the claim")
MADE = {
    "seed": "Seed",
    "commit": "Commit",
    "date": "Date",
    "data": "Data",
}
MADE_DETAILS = {"machine": "Machine", "script": "Script", "command": "Command"}
RIVALS = {  # methods of other programs, and limits that no private method can reach
    "eugkm": "Uniform grid of Su et al.",
    "privtree": "PrivTree",
    "thresholded_grid": "Grid without its small cells",
    "oracle_step": "Best centers, one noisy step",
    "tight_oracle_step": "The same, tighter noise",
    "scikit_learn": "scikit-learn, no privacy",
}
COLUMNS = {
    "title": "Method",
    "summary": "What it does",
    "paper": "Paper",
    "guarantee": "Promise",
    "relations": "Proved for",
    "dims": "Dimensions",
    "coreset": "Gives a coreset",
    "vetted": "Checked",
    "method": "Method",
    "epsilon": "Privacy budget",
    "delta": "Failure chance",
    "n": "Records",
    "k": "Clusters",
    "data": "Data",
    "median": "Error (middle)",
    "quartile_1": "Error (a quarter lower)",
    "quartile_3": "Error (a quarter higher)",
    "low": "Low",
    "high": "High",
    "draws": "Draws",
    "answers": "Answers",
    "seconds": "Seconds",
    "cpu_seconds": "Processor seconds",
    "coreset_points": "Coreset points",
    "rival": "Rival",
    "times_our_error": "Times our error",
    "cells": "Comparisons",
    "cells_lower_than_ours": "… where lower",
    "cells_significantly_lower_than_ours": "… clearly lower",
    "cells_significantly_higher_than_ours": "… clearly higher",
    "claim": "Claimed",
    "lower_bound": "Given away at least",
    "relation": "Neighbours",
    "pair": "Attack",
    "trials": "Runs",
    "violated": "Above the claim",
    "found": "Fault found",
    "as_it_must_be": "As it must be",
    "name": "Experiment",
    "what": "What it shows",
    "base_epsilon": "Budget of one record",
    "records_of_the_person": "Records of the person",
    "without_a_sample": "Without a sample",
    "how": "How",
    "printed_in_the_paper": "Printed in the paper",
    "measured_mean": "Measured",
    "not_private": "Without protection",
    "nicv_mean": "Mean squared distance",
    "data_sha256": "Checksum of the data",
}
GUARANTEES = {"pure": "without exception", "approximate": "except with a tiny probability"}
SAMPLED = "{title}, on a sample"
YES, NO, NOT_YET = "yes", "no", "not yet"
