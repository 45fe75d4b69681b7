"""The public face of dpviz: every name, once. `__init__.py` reads this list when it is imported."""

from dpviz import joint as joint
from dpviz.domain import (
    Adjacency as Adjacency,
    ExactCounts as ExactCounts,
    ExactPoints as ExactPoints,
    GeoBox as GeoBox,
    Grid as Grid,
    PlainBox as PlainBox,
    ReadReport as ReadReport,
    Unit as Unit,
)
from dpviz.estimator import PrivateKMeans as PrivateKMeans
from dpviz.evaluation import Evaluation as Evaluation, evaluate as evaluate
from dpviz.ingest import (
    builtin as builtin,
    read_counts as read_counts,
    read_parts as read_parts,
    read_points as read_points,
)
from dpviz.ingest.public_maps import PublicMap as PublicMap
from dpviz.labels.catalogue_rows import methods as methods
from dpviz.ledger.ledger import Ledger as Ledger
from dpviz.life.feed import verify_release as verify_release
from dpviz.life.publications import (
    Publication as Publication,
    correct as correct,
    publications as publications,
    supersede as supersede,
    withdraw as withdraw,
)
from dpviz.privacy import (
    LEVELS as LEVELS,
    Budget as Budget,
    Charge as Charge,
    Guarantee as Guarantee,
    Region as Region,
    read_regions as read_regions,
)
from dpviz.publishing.datasets import (
    Dataset as Dataset,
    SimulatedCounts as SimulatedCounts,
    demonstration_dataset as demonstration_dataset,
    open_dataset as open_dataset,
)
from dpviz.publishing.door import publish as publish, quote as quote
from dpviz.publishing.mechanism_run import expected_parts as expected_parts, preview as preview, release as release
from dpviz.publishing.populations import (
    Population as Population,
    begin_population as begin_population,
    spent_in_window as spent_in_window,
)
from dpviz.publishing.registration import (
    register as register,
    register_member as register_member,
    register_or_open as register_or_open,
)
from dpviz.questions.areas import Circle as Circle, Tiles as Tiles
from dpviz.releases.about import About as About
from dpviz.releases.release import NoAnswer as NoAnswer, Release as Release
from dpviz.releases.request import ReleaseRequest as ReleaseRequest
from dpviz.series.changes import Changes as Changes, changes_between as changes_between
from dpviz.series.series import (
    Series as Series,
    begin_series as begin_series,
    open_series as open_series,
    publish_period as publish_period,
)

__version__: str
