"""Tests of the documentation: examples run, commands print what is shown, links are valid, the site builds."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import html
from playwright.sync_api import Browser

from graph import store as stores
from ontology.namespaces import NAMESPACES
from queries.in_force import in_force
from service.cli import main
from tests.support.browser import looking
from tests.support.cases import constant
from tests.support.chamber import ServedChamber, town
from tests.support.commands import CODE
from tests.support.documentation import DOCS, ROOT
from tests.support.harvesting import repository
from tests.support.oai_publishing import shown as wait_until_shown
from tests.support.oai_server import OaiServer
from tests.support.serve_process import served

# Runs the commands in the documentation
# A line ``...`` stands for lines that are left out. A block with ``title="NAME"`` is a file that a reader saves.


@dataclass(frozen=True, slots=True)
class Step:
    """One command that was run.

    Attributes:
        command: the command as the page has it.
        shown: the lines that the page shows.
        code: the exit code.
        printed: the lines that the command printed.
    """

    command: str
    shown: tuple[str, ...]
    code: int
    printed: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the lines of the page match the printed lines; ``...`` matches any lines."""
        parts = [
            part.split("\n") if part else [] for part in re.split(r"(?:^|\n)\.\.\.(?:\n|$)", "\n".join(self.shown))
        ]
        index = 0
        for number, part in enumerate(parts):
            if number == 0:
                position = 0
            elif number == len(parts) - 1 and part:
                position = len(self.printed) - len(part)
            else:
                position = next((n for n in range(index, len(self.printed)) if self._has(part, n)), -1)
            if part and (position < index or not self._has(part, position)):
                return False
            index = max(index, position + len(part))
        return len(parts) > 1 or index == len(self.printed)

    def _has(self, part: Sequence[str], index: int) -> bool:
        return self.printed[index : index + len(part)] == tuple(part)


def _commands(block: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands of a block, in order, each with the lines below it."""
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = step.splitlines()
        yield command, tuple(shown)


def program(folder: Path) -> dict[str, str]:
    """Return an environment in which ``vigente`` and ``python`` run the code of this checkout."""
    path = folder / "bin"
    path.mkdir()
    for name, arguments in (("vigente", " -m service"), ("python", "")):
        (path / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n', encoding="utf-8")
        (path / name).chmod(0o755)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("VIGENTE")}
    return {**plain, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def run(
    text: str,
    folder: Path,
    environment: Mapping[str, str],
    replaced: Mapping[str, str] | None = None,
    *,
    messages: bool = False,
    apart: bool = False,
) -> Iterator[Step]:
    """Save the files of a page in a folder and run its commands there; yield each step, in the order of the page.

    Args:
        apart: whether each command runs in its own process, also one that is a command of ``vigente`` and nothing else.
        replaced: replacements in files and commands, such as a loopback address for that of the page; they are reverted
            in the output.
        messages: whether the page also shows stderr.
    """
    exchanged = replaced or {}
    for info, block in re.findall(r"^```(\S[^\n]*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        titled = re.search(r'title="([^"]+)"', info)
        if titled is not None:
            (folder / titled[1]).parent.mkdir(exist_ok=True)
            (folder / titled[1]).write_text(_exchanged(block, exchanged), encoding="utf-8")
        for command, shown in _commands(block) if info == "console" else ():
            typed = _exchanged(command, exchanged)
            plain = (
                typed.startswith("vigente ") and not apart and not re.search(r"[|<>&;$]", re.sub("'[^']*'", "", typed))
            )
            code, out = _called(typed, folder, messages) if plain else _spawned(typed, folder, environment, messages)
            printed = _exchanged(out, {replacement: written for written, replacement in exchanged.items()})
            yield Step(command, shown, code, tuple(printed.splitlines()))


def _called(command: str, folder: Path, messages: bool) -> tuple[int, str]:
    """Run a command of ``vigente`` in this process; return its exit code and what it printed."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with chdir(folder), redirect_stdout(out), redirect_stderr(out if messages else io.StringIO()):
        code = main(shlex.split(command)[1:])
    out.seek(0)
    return code, out.read()


def _spawned(command: str, folder: Path, environment: Mapping[str, str], messages: bool) -> tuple[int, str]:
    """Run a command in a shell; return its exit code and what it printed."""
    ended = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if messages else subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=60,
    )
    return ended.returncode, ended.stdout


def _exchanged(text: str, exchanged: Mapping[str, str]) -> str:
    for written, other in exchanged.items():
        text = text.replace(written, other)
    return text


# The documentation


README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "samples").glob("*.md")])
GUIDE = DOCS / "how-to" / "publicar.md"
DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))
INDEX_OF_DECISIONS = (DOCS / "decisions" / "README.md").read_text("utf-8")
#: Pages with Python examples, and the least number of examples.
EXAMPLES = constant("examples", "examples")
#: Pages with commands, and the number of these.
COMMANDS = constant("examples", "commands")
#: Commands whose exit code is not 0.
CODES = {"vigente --store mine.store load nomes.txt": 3}


@pytest.mark.parametrize("page", EXAMPLES)
def test_python_examples_run(page: str, sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vigente.store").symlink_to(sample_store)
    monkeypatch.chdir(ROOT if page in ("docs/reference/checks.md", "docs/reference/profiles.md") else tmp_path)
    results = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted >= EXAMPLES[page]


@pytest.mark.slow
@pytest.mark.parametrize("page", COMMANDS)
def test_commands_print_the_documented_output(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands of the README as processes, and of other pages in this one, with no pause between requests."""
    for variable in ("VIGENTE_STORE", "VIGENTE_CONTACT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("loaders.oai_pmh.fetching.Watch.sleep", lambda *_: None)
    text = (ROOT / page).read_text(encoding="utf-8")
    (tmp_path / "work").mkdir()
    with OaiServer(repository(30)) as server:
        here = {"https://provider.example/oai": server.url, "provider.example": f"127.0.0.1:{server.port}"}
        messages, apart = page == "docs/how-to/harvest.md", page == "README.md"
        steps = list(run(text, tmp_path / "work", program(tmp_path), here, messages=messages, apart=apart))
    assert len(steps) == COMMANDS[page]
    for step in steps:
        assert (step.command, step.code) == (step.command, CODES.get(step.command, 0))
        assert step.holds, (step.command, step.shown, step.printed)


@pytest.mark.slow
def test_guide_of_a_chamber_ends_with_the_answers_of_a_neighbour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the commands of the guide with a SAPL and a service on loopback; the service starts where the guide does."""
    monkeypatch.delenv("VIGENTE_STORE", raising=False)
    monkeypatch.setattr("loaders.oai_pmh.fetching.Watch.sleep", lambda *_: None)
    (place := tmp_path / "work").mkdir()
    steps: list[Step] = []
    with ExitStack() as stack:
        sapl = stack.enter_context(OaiServer(ServedChamber(town())))
        here = {"https://sapl.camara.example.org": sapl.url.removesuffix("/oai"), "vigente serve": "true"}
        for step in run(GUIDE.read_text("utf-8"), place, program(tmp_path), here, messages=True):
            steps.append(step)
            if step.command == "vigente serve":
                here["http://127.0.0.1:8000"] = stack.enter_context(served(place / "vigente.store")).address
                wait_until_shown()
    assert len(steps) == 13
    for step in steps:
        assert (step.command, step.code) == (step.command, 0), step.printed
        assert step.holds, (step.command, step.shown, step.printed)
    assert (place / "leis-publicacao.html").exists()


# The README


def test_table_of_the_readme_has_the_answers_of_the_graph(sample_store: Path) -> None:
    rows = re.findall(r"^\| (\d{4}-\d\d-\d\d) \| (\d{4}-\d\d-\d\d) \| (.+) \|$", README, re.MULTILINE)
    assert len(rows) == 5
    with stores.open(sample_store) as store:
        for on, known, documented in rows:
            answer = in_force(store, CODE, on, known)
            version = answer.version
            shown = f"none: `{answer.status}`" if version is None else f"`{version.name.removeprefix(CODE)}`"
            assert (on, known, documented) == (on, known, shown)


def test_readme_is_short_and_names_existing_targets() -> None:
    assert README.count("\n") <= 150
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    documented = re.findall(r"^    make (\w+)", README, re.MULTILINE)
    assert documented == ["demo", "test"]
    assert set(documented) <= targets


# Links and lists


def test_links_are_valid() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        if not target.startswith(("https:", "http:", "#")) and not (page.parent / target.partition("#")[0]).exists()
    ]
    assert broken == []


def test_the_index_lists_every_page() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([a-z][^).]+\.md)\)", index))
    pages = {path.relative_to(DOCS).as_posix() for path in PAGES if path.is_relative_to(DOCS)}
    assert {page for page in linked if not page.startswith("decisions/0")} == {
        page for page in pages if not page.startswith("decisions/0")
    } - {"README.md"}


def test_licence_is_complete() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.strip().startswith("Apache License")
    assert "END OF TERMS AND CONDITIONS" in text


# Decisions and terms


def test_decisions_have_their_sections_and_the_status_of_the_index() -> None:
    listed = re.findall(r"\]\((0[^)]+\.md)\)", INDEX_OF_DECISIONS)
    assert listed == [page.name for page in DECISIONS]
    assert len(DECISIONS) >= 5
    for page in DECISIONS:
        text = page.read_text("utf-8")
        assert re.match(rf"# {page.stem[:4]}: \S", text)
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], page
        stated = re.search(r"^Status: (accepted|superseded by \[(\d{4})\])", text, re.MULTILINE)
        row = re.search(rf"\({page.name}\) \| .* \| (.+) \|$", INDEX_OF_DECISIONS, re.MULTILINE)
        assert stated is not None, page
        assert row is not None, page
        assert row[1].startswith(f"superseded by {stated[2]}" if stated[2] else "accepted"), page


def test_every_documented_term_exists() -> None:
    unknown = {
        f"{prefix}:{term}"
        for page in (DOCS / "reference" / "graph.md", *DECISIONS)
        for prefix, term in re.findall(rf"(?<![\w/])({'|'.join(NAMESPACES)}):([A-Za-z][\w-]*)", page.read_text("utf-8"))
        if term not in NAMESPACES[prefix]
    }
    assert unknown <= {"eli:has_version"}, "eli:has_version is documented as a trap; all others must exist"


# The documentation site


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site and return its folder. In strict mode, a warning (such as a broken link) is an error."""
    folder = tmp_path_factory.mktemp("site")
    ended = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    return folder


def test_site_has_every_documentation_page(built: Path) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    pages = {path.relative_to(built).with_suffix("") for path in built.rglob("*.html")} - {Path("404")}
    assert {path.parent / "index" if path.name == "README" else path for path in sources} == pages


def test_pages_load_nothing_from_other_hosts(built: Path) -> None:
    loaded = 0
    for path in built.rglob("*.html"):
        page = html.parse(str(path))
        for address in page.xpath("//@src | //link[not(@rel='canonical')]/@href | //@srcset | //@poster | //@data"):
            assert not urlsplit(str(address)).netloc, f"{path.relative_to(built)} loads {address}"
            loaded += 1
    assert loaded > 100
    for path in built.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path


def test_links_outside_the_documentation_are_plain_paths(built: Path) -> None:
    page = (built / "reference" / "ontology.html").read_text(encoding="utf-8")
    assert "<code>ontology/vigente.ttl</code>" in page
    assert '.ttl"' not in page


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    """Serve the site on loopback, and yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base class
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "page_address"), [("granian", "decisions/0020-granian.html"), ("planilha", "how-to/publicar.html")]
)
def test_search_finds_words_without_other_hosts(words: str, page_address: str, address: str, browser: Browser) -> None:
    with looking(browser, address, at=f"{address}/index.html") as page:
        page.locator("input.md-search__input").click()
        page.keyboard.type(words)
        page.locator(f"a.md-search-result__link[href*='{page_address}']").first.wait_for()
