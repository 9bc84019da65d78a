"""Citations in running Portuguese text: which norms and provisions a text names, and where. See
docs/reference/citations.md.

>>> found = cite("Nos termos do art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990.")
>>> [(one.text, one.name) for one in found]
[('art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990', 'urn:lex:br:federal:lei:1990-09-11;8078!art6_cpt_inc8')]
"""

from graph.wording.citations.reading import cite
from graph.wording.citations.values import Citation, Context

__all__ = ["Citation", "Context", "cite"]
