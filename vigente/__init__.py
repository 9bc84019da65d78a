"""The public Python API of Vigente. Everything outside this package is internal and may change
(docs/reference/python.md).

>>> import vigente
>>> with vigente.open("vigente.store") as store:
...     answer = store.in_force("urn:lex:br:federal:lei:1990-09-11;8078", on="1993-06-15", as_known="2007-01-09")
>>> answer.status, answer.version.event, str(answer.version.valid_from)
(<Status.IN_FORCE: 'in-force'>, 'alteracao', '1993-05-22')
"""

from graph.errors import VigenteError
from graph.time.kinds import Axis, Status
from graph.urn import Name, parse
from samples import sample_paths
from vigente.acts import amendments
from vigente.answers import Answer
from vigente.citations import cite
from vigente.public import make_public
from vigente.store import Store
from vigente.store import open_store as open  # noqa: A004 - `vigente.open` is the promised name

__all__ = [
    "Answer", "Axis", "Name", "Status", "Store", "VigenteError", "amendments", "cite", "open", "parse", "sample_paths",
]  # fmt: skip

make_public(__name__, "Axis", "Name", "Status")
