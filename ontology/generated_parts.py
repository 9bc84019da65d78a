"""Generated parts of a page of the docs, each between ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence


def with_parts(page: str, parts: Mapping[str, Iterable[str]]) -> str:
    """The page with its generated parts as they should be.

    Args:
        page: Markdown as it is.
        parts: the lines of each part, by name.

    Raises:
        ValueError: a part's comments are missing.

    >>> with_parts("<!-- generated: a -->\\nold\\n<!-- end of a -->\\n", {"a": ["new"]})
    '<!-- generated: a -->\\nnew\\n<!-- end of a -->\\n'
    """
    for name, lines in parts.items():
        begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"expected {begin.strip()} and {end.strip()} in the page")
        page = "".join((before, begin, *(f"{line}\n" for line in lines), end, after))
    return page


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)
