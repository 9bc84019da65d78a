"""Series of provisions in a text: its own, those of an annex, and those of a quotation."""

from __future__ import annotations

from dataclasses import dataclass, field

#: How many numbers of items a text may leave out in a row.
_MOST_LEFT_OUT = 3


@dataclass(slots=True)
class Scope:
    """A series of provisions with identifiers of its own: the text, an annex, or a quotation.

    ``chain`` has the identifiers from the article down to the current provision, by prefix. ``numbered`` has the
    numbers and the identifiers of the items from the outermost one ("2.", "2.3", "2.3.1") down to the last one.
    ``steps`` has the last steps of an article and a paragraph.
    """

    prefix: str
    holder: str | None
    groups: list[tuple[int, str]] = field(default_factory=list)
    chain: dict[str, str] = field(default_factory=dict)
    article: str | None = None
    number: int = 0
    items: dict[str, int] = field(default_factory=dict)
    numbered: list[tuple[tuple[int, ...], str]] = field(default_factory=list)
    steps: dict[str, str] = field(default_factory=dict)

    def follows_items(self, numbers: tuple[int, ...], *, is_introduced: bool) -> bool:
        """Return whether numbers follow those of the last item, or begin a series, which the text may introduce."""
        if not self.numbered:
            opens = "art" not in self.chain or is_introduced
            return opens and (numbers == (1,) or (len(numbers) == 2 and numbers[1] == 1))
        last = self.numbered[-1][0]
        if len(numbers) > len(last):
            return (*last, 1) == numbers
        before = last[len(numbers) - 1]
        if numbers[:-1] == last[: len(numbers) - 1] and before < numbers[-1] <= before + _MOST_LEFT_OUT:
            return True
        return numbers == (1,) and self.group is not None and not self.numbered[-1][1].startswith(f"{self.group}_")

    @property
    def group(self) -> str | None:
        return self.groups[-1][1] if self.groups else self.holder


#: The levels that end when a provision of each kind begins.
ENDS = {
    "art": ("cpt", "par", "inc", "ali", "ite"),
    "par": ("cpt", "par", "inc", "ali", "ite"),
    "inc": ("inc", "ali", "ite"),
    "ali": ("ali", "ite"),
    "ite": ("ite",),
}
HOLDERS = {
    "par": ("art",),
    "inc": ("par", "cpt", "dpg"),
    "ali": ("inc", "par", "cpt", "dpg"),
    "ite": ("ali", "inc", "par", "cpt"),
}
