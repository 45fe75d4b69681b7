"""PrivateKMeans: the scikit-learn face of dpviz."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dpviz.clustering import assign
from dpviz.domain import Adjacency, ExactPoints, Frame, Unit
from dpviz.domain.box import plain_frame
from dpviz.domain.points import checked_radius
from dpviz.errors import InputError
from dpviz.ingest.units.weights import Weights
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import NoAnswer

LARGEST_SAMPLE = 1 << 27  # rows, after each stands as often as it weighs


class PrivateKMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Differentially private k-means for scikit-learn pipelines.

    Only protected things become attributes: there are no `labels_` and no `inertia_` of the training rows, because
    both would be exact. `predict` labels any rows you give it with the protected centers.

    Parameters
    ----------
    n_clusters : int
    epsilon, delta : the privacy budget of one fit. Each fit on the same rows spends it again.
    bounds : (low, high)
        A public box: one pair of numbers for all columns, or a pair of arrays. Required, and to be known without
        looking at the rows. Rows outside are clipped into the box.
    radius : a number, instead of `bounds` or beside it
        A public ball around the middle of the box, or around 0 without one: longer rows are shortened to it.
    method : a name of `dpviz.methods()`, or "auto".
    relation : "add-remove" (the number of rows stays secret) or "replace".
    weight_bound : None, or a whole number
        What `sample_weight` means for the promise. None: a row of weight 3 is three records, as if it stood there
        three times, and each of them is protected. A number W: a row is protected with all its weight, of which at
        most W is counted. W is public.
    random_state : None for secure noise; a number for replayable noise in tests, which protects nobody.

    Attributes
    ----------
    cluster_centers_ : (n_clusters, n_features)
    coreset_, coreset_weights_ : the protected weighted points, or None for methods without a coreset
    guarantee_ : the promise as a value; `str()` of it is one sentence
    method_ : the method that answered
    told_apart_ : False where so few rows do not tell so many groups apart; all centers are then the rows' middle

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from dpviz import PrivateKMeans
    >>> rows, _ = make_blobs(20_000, centers=[[-5, 0], [5, 0]], random_state=0)
    >>> model = PrivateKMeans(n_clusters=2, epsilon=1.0, bounds=(-10, 10), random_state=0).fit(rows)
    >>> sorted(model.cluster_centers_[:, 0].round().astype(int).tolist())
    [-5, 5]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        epsilon: float = 1.0,
        delta: float = 0.0,
        bounds: Any = None,
        radius: float | None = None,
        method: str = "auto",
        relation: str = "add-remove",
        weight_bound: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.epsilon = epsilon
        self.delta = delta
        self.bounds = bounds
        self.radius = radius
        self.method = method
        self.relation = relation
        self.weight_bound = weight_bound
        self.random_state = random_state

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """The parameters, and the guarantee once there is one."""
        shown: str = super().__repr__(N_CHAR_MAX=N_CHAR_MAX)
        guarantee = getattr(self, "guarantee_", None)
        return shown if guarantee is None else f"{shown}  # {guarantee}"

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Spend the budget once and keep what came out of it. Weights are whole numbers (see `weight_bound`)."""
        rows: NDArray[np.float64] = validate_data(self, X, dtype=np.float64)
        frame = public_frame(self.bounds, rows.shape[1], self.radius)
        rows, unit = self._weighted(rows, sample_weight)
        relation = Adjacency.parse(self.relation)
        data = ExactPoints.from_array(frame, rows, relation=relation, unit=unit, outside="clip", radius=self.radius)
        budget = Budget(epsilon=self.epsilon, delta=self.delta)
        answer = release(data, k=self.n_clusters, budget=budget, method=self.method, seed=_seed(self.random_state))
        if isinstance(answer, NoAnswer):
            raise ValueError(f"{self.method} gives no answer: {answer.reason}. Use method='auto' or a larger epsilon.")
        self.cluster_centers_ = frame.to_raw(answer.protected_centers.positions)
        coreset = answer.protected_coreset
        self.coreset_ = None if coreset is None else frame.to_raw(coreset.positions)
        self.coreset_weights_ = None if coreset is None else coreset.weights.copy()
        self.guarantee_ = answer.guarantee
        self.method_ = str(answer.constants.get("chosen_method", answer.method))
        self.told_apart_ = bool(answer.constants.get("told_apart", True))
        self._n_features_out = len(self.cluster_centers_)
        return self

    def fit_predict(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> NDArray[np.int64]:
        """Fit, then label the same rows with the protected centers. The labels are exact: keep them to yourself."""
        return self.fit(X, y, sample_weight).predict(X)

    def __getattr__(self, name: str) -> Any:
        if name == "partial_fit":
            raise AttributeError(
                "PrivateKMeans has no partial_fit: every piece of the rows would spend a budget of its own. Give all "
                "rows to fit at once, or count large files with dpviz.read_counts and use dpviz.release."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The index of the nearest protected center for each row."""
        return assign(self._rows(X), self.cluster_centers_)

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Distances of each row to each protected center."""
        gaps = self._rows(X)[:, None, :] - self.cluster_centers_[None, :, :]
        distances: NDArray[np.float64] = np.sqrt(np.einsum("nkd,nkd->nk", gaps, gaps))
        return distances

    def score(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """Minus the k-means cost of the rows you give. Exact for those rows: do not publish it for private ones."""
        costs = self.transform(X).min(axis=1) ** 2
        return -float(costs.sum() if sample_weight is None else costs @ np.asarray(sample_weight, dtype=np.float64))

    def _weighted(self, rows: NDArray[np.float64], sample_weight: ArrayLike | None) -> tuple[NDArray[np.float64], Unit]:
        """The rows as often as they weigh, and what one unit of protection then is."""
        bound = self.weight_bound
        if sample_weight is None:
            if bound is not None:
                raise InputError("weight_bound belongs to fit(X, sample_weight=…); leave it out without weights.")
            return rows, Unit()
        unit = Unit(weight_column="sample_weight", weight_bound=bound)
        weights = np.asarray(sample_weight, dtype=np.float64)
        if weights.shape != (len(rows),):
            raise InputError(f"sample_weight has shape {weights.shape}; give one weight for each of {len(rows)} rows.")
        if not np.isfinite(weights).all() or (weights < 0).any() or (weights != np.floor(weights)).any():
            raise InputError("sample_weight holds something else than whole numbers of 0 or more; scale and round it.")
        if not weights.any():
            raise InputError("sample_weight is zero in every row: there is nothing to fit.")
        steps = Weights(column="sample_weight", step=1.0, bound=bound).steps(weights)
        if int(steps.sum()) > LARGEST_SAMPLE:
            raise InputError("sample_weight adds up to more than 2^27 records; count them on a grid (read_counts).")
        return np.repeat(rows, steps, axis=0), unit

    def _rows(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        rows: NDArray[np.float64] = validate_data(self, X, dtype=np.float64, reset=False)
        return rows


def public_frame(bounds: Any, dims: int, radius: float | None = None) -> Frame:
    """The estimator's public box, or a clear error. Around a ball without a box it is the smallest."""
    if bounds is None and radius is not None:
        reach = checked_radius(radius)
        return plain_frame([-reach] * dims, [reach] * dims)
    if bounds is None:
        raise InputError(
            "PrivateKMeans needs bounds=(low, high), or radius=: a public box or ball that is known without looking at "
            "the rows. "
            "The rows' own minimum and maximum would reveal records, so they are never used."
        )
    try:
        low, high = bounds
        low_row = np.broadcast_to(np.asarray(low, dtype=np.float64), (dims,))
        high_row = np.broadcast_to(np.asarray(high, dtype=np.float64), (dims,))
    except (TypeError, ValueError):
        raise InputError(
            f"bounds must be a pair (low, high) of numbers, or of arrays with {dims} numbers each, one per column."
        ) from None
    return plain_frame(low_row.tolist(), high_row.tolist())


def _seed(random_state: Any) -> int | None:
    if random_state is None:
        return None
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        return int(random_state)
    for method in ("integers", "randint"):  # a numpy Generator, a RandomState
        draw = getattr(random_state, method, None)
        if callable(draw):
            return int(draw(2**31 - 1))
    raise InputError(
        f"random_state={random_state!r}: use None for secure noise or a whole number for replayable noise."
    )
