"""The screenshots of the README: ``python -m tests.support.pictures`` takes them again from the pages of the sample."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Locator, Page

from tests.support.browser import browsing
from tests.support.web import serving_sample

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def take(folder: Path) -> None:
    """Write ``answer.png`` and ``timeline.png``: a page of the consumer code, and its timeline."""
    with TemporaryDirectory() as store, serving_sample(Path(store) / "store") as client, browsing() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 760}, locale="pt-BR", color_scheme="light")
        page.goto(f"{client.base_url}/{CODE}?on=1993-06-15&as_known=2007-01-10")
        page.screenshot(path=folder / "answer.png")
        page.goto(f"{client.base_url}/timeline/{CODE}")
        _largest(page).screenshot(path=folder / "timeline.png")


def _largest(page: Page) -> Locator:
    """Return the largest picture of a page; the others belong to its legend."""

    def size(picture: Locator) -> float:
        box = picture.bounding_box()
        return box["width"] * box["height"] if box is not None else 0

    return max(page.locator("main svg").all(), key=size)


if __name__ == "__main__":
    take(FOLDER)
