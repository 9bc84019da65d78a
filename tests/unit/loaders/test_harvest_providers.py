"""Tests of the configuration of providers: valid values, and the errors for invalid ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaders.harvest.providers import BadProviders, Provider, read_providers

WHOLE = """
politeness = 0.5

[[providers]]
name = "exemplo"
url = "https://provider.invalid/oai"
publisher = "Câmara Fictícia"
sets = ["leis", "decretos"]

[[providers]]
url = "http://sapl.invalid:8080/sapl/oai"
politeness = 2
reconcile_days = 30
keep_payloads = false
"""


def read(tmp_path: Path, text: str) -> list[Provider]:
    path = tmp_path / "providers.toml"
    path.write_text(text, encoding="utf-8")
    return read_providers(path)


def test_defaults_apply_to_all_and_sets_are_separate_lists(tmp_path: Path) -> None:
    leis, decretos, sapl = read(tmp_path, WHOLE)
    assert (leis.name, leis.set, leis.politeness, leis.publisher) == ("exemplo/leis", "leis", 0.5, "Câmara Fictícia")
    assert (decretos.name, decretos.set) == ("exemplo/decretos", "decretos")
    assert (sapl.name, sapl.politeness, sapl.reconcile_days) == ("sapl.invalid:8080", 2, 30)
    assert sapl.keep_payloads is False
    assert len({provider.key for provider in (leis, decretos, sapl)}) == 3
    assert leis.host == decretos.host != sapl.host


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one"),
        ("providers = 3", "at least one"),
        ("providers = [3]", "expected a table"),
        ("[[providers]]\nname = 'a'", "expected a url"),
        ("[[providers]]\nurl = 3", "expected url to be str"),
        ("[[providers]]\nurl = 'http://a.invalid'\nulr = 'b'", "the key 'ulr' is unknown"),
        ("[[providers]]\nurl = 'ftp://a.invalid'", "http or https"),
        ("[[providers]]\nurl = 'a.invalid'", "http or https"),
        ("[[providers]]\nurl = 'http://a.invalid/?verb=Identify'", "without query"),
        ("[[providers]]\nurl = 'http://me:secret@a.invalid/'", "without user and password"),
        ("[[providers]]\nurl = 'http://[a/'", "base URL"),
        ("[[providers]]\nurl = 'http://a.invalid:x/'", "base URL"),
        ("[[providers]]\nurl = 'http://a.invalid'\npoliteness = -1", "expected politeness from 0"),
        ("[[providers]]\nurl = 'http://a.invalid'\nreconcile_days = 0", "expected reconcile_days from 1"),
        ("[[providers]]\nurl = 'http://a.invalid'\nkeep_payloads = 1", "expected keep_payloads to be bool"),
        ("[[providers]]\nurl = 'http://a.invalid'\noverlap = true", "expected overlap to be int"),
        ("[[providers]]\nurl = 'http://a.invalid'\nsets = []", "expected `sets`"),
        ("[[providers]]\nurl = 'http://a.invalid'\nsets = ['a']\nset = 'b'", "expected `sets`"),
        ("[[providers]]\nurl = 'http://a.invalid'\nname = '\\u001b[2J'", "expected a name"),
        (
            "[[providers]]\nurl = 'http://a.invalid'\n[[providers]]\nurl = 'http://a.invalid'",
            "two providers have the same name",
        ),
        (
            "[[providers]]\nname='x'\nurl='http://a.invalid'\n[[providers]]\nname='y'\nurl='http://a.invalid'",
            "have the same key",
        ),
        ("\x00", "not valid TOML"),
        ("a = " + "[" * 5000, "not valid TOML"),
    ],
)
def test_invalid_value_is_reported_with_its_position(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadProviders, match=message) as caught:
        read(tmp_path, text)
    assert "secret" not in str(caught.value)


def test_unreadable_provider_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadProviders, match="not valid TOML"):
        read_providers(tmp_path / "a.toml")
    with pytest.raises(BadProviders, match="cannot be read"):
        read_providers(tmp_path / "b.toml")
    with pytest.raises(BadProviders, match="cannot be read"):
        read_providers(tmp_path)


def test_folder_of_a_list_is_stable() -> None:
    assert Provider("https://provider.invalid/oai").key == "provider.invalid-a7c06838df8d"
    assert "/" not in Provider("https://provider.invalid:8443/../x", "a/../b").key
