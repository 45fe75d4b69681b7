"""Rivals and limits for the accuracy benchmark, written for it: floating-point noise, nothing publishable."""

from dpviz_research.references.grids import adaptive_grid, eugkm, thresholded_grid
from dpviz_research.references.limits import oracle_step, scikit_learn, tight_oracle_step
from dpviz_research.references.privtree import privtree
from dpviz_research.references.problem import Problem, Reference

REFERENCES: tuple[Reference, ...] = (
    Reference(name="eugkm", title="EUGkM (uniform grid)", run=eugkm, rival=True),
    Reference(name="privtree", title="PrivTree", run=privtree, rival=True),
    Reference(name="adaptive_grid", title="AG (adaptive grid)", run=adaptive_grid, rival=True),
    Reference(name="thresholded_grid", title="Thresholded grid", run=thresholded_grid, rival=True),
    Reference(name="oracle_step", title="Oracle step (a limit)", run=oracle_step, rival=False, needs_best=True),
    Reference(
        name="tight_oracle_step",
        title="Oracle step with exact radii (a limit)",
        run=tight_oracle_step,
        rival=False,
        needs_best=True,
    ),
    Reference(
        name="scikit_learn",
        title="scikit-learn, no privacy (a limit)",
        run=scikit_learn,
        rival=False,
        uses_epsilon=False,
    ),
)

__all__ = ["REFERENCES", "Problem", "Reference"]
