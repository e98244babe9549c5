"""Entries are read strictly, as published: text for text, no aliases, no double keys, the registry's schema."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.errors import InputError
from privref.registry import entries
from privref.registry.entries import read_entries, read_entry, sentence_with

pytest.importorskip("yaml", reason="PyYAML is the extra `registry`")

FOLDER = Path(__file__).parents[1] / "data" / "registry"
ONE = FOLDER / "deployments" / "mobility_trends_hurricane.yaml"


def test_scalars_keep_the_text_that_was_published() -> None:
    """A trailing zero and an exponent are digits that were published."""
    entry = read_entries(FOLDER / "deployments" / "user_url_privacy.yaml")[0]
    assert entry.texts["deployment.privacy_loss.privacy_parameters.delta"] == "1.0e-05"
    assert read_entries(ONE)[0].texts["deployment.privacy_loss.privacy_parameters.epsilon"] == "10.0"
    assert read_entries(ONE)[0].texts["deployment.administrative.registry_authors[2]"]


def test_a_folder_is_read_by_file_name_from_its_deployments() -> None:
    found = read_entries(FOLDER)
    assert [entry.file for entry in found] == sorted(path.name for path in (FOLDER / "deployments").iterdir())
    assert found == read_entries(FOLDER / "deployments")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("tier: 1", "tier: 4"), r"\.tier: '4"),
        (lambda text: text.replace("tier: 1\n", ""), "'tier' is a required property"),
        (lambda text: text + "surprise: 1\n", "surprise"),
        (lambda text: text + "tier: 1\n", "the key 'tier' stands twice"),
        (lambda text: text.replace("tier: 1", "tier: &t 1\nagain: *t"), "aliases are not read"),
        (lambda text: text.replace("tier: 1", "tier: [1"), "mend it"),
        (lambda text: text.replace("tier: 1", "tier: !!python/object:os.system 1"), "mend it"),
        (lambda text: text.replace("epsilon: 10.0", "epsilon: ten"), "epsilon"),
        (lambda text: "- a list\n", "is not of type 'object'"),
        (lambda text: "", "is not of type 'object'"),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_refused_in_one_line(change: object, said: str) -> None:
    text = ONE.read_text(encoding="utf-8")
    changed = change(text)  # type: ignore[operator]
    assert changed != text
    with pytest.raises(InputError) as refused:
        read_entry(changed, "x.yaml")
    message = str(refused.value)
    assert "\n" not in message
    assert said.replace("\\", "").split(": '")[0] in message


PIECES = ["? [a, b]\n: c\n", "<<: {tier: 2}\n", "x: 2021-13-45\n", "\x07", "---\n", "&a", "*a", "!!set {a}\n", "[", "{",
          ": ", "'", '"', "\t", "|", "url_slug: 1\n", "- ", "%", "@", "`", "\\"]  # fmt: skip


@given(st.sampled_from(PIECES), st.integers(0, 1000))
def test_a_broken_entry_is_refused_or_read_and_nothing_else(piece: str, place: int) -> None:
    """Whatever is put wherever: an entry, or one line that names the file."""
    text = ONE.read_text(encoding="utf-8")
    said = ""
    try:
        read_entry(text[:place] + piece + text[place:], "x.yaml")
    except InputError as refused:
        said = str(refused)
    assert not said or said.startswith("entry x.yaml")
    assert "\n" not in said


def test_a_schema_beside_the_entries_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "a.yaml").write_bytes(ONE.read_bytes())
    for text, said in (("- 1", "mapping"), ("type: 5", "not a JSON Schema"), ("[", "mend it")):
        (tmp_path / "schemas" / "deployments-schema.yaml").write_text(text)
        with pytest.raises(InputError, match=said):
            read_entries(tmp_path)
    (tmp_path / "schemas" / "deployments-schema.yaml").write_text("type: object")
    (tmp_path / "a.yaml").write_text("url_slug: a")
    with pytest.raises(InputError, match="known by it"):
        read_entries(tmp_path)


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(entries, "MOST_CHARACTERS", 100)
    with pytest.raises(InputError, match="at most 100"):
        read_entry(ONE.read_text(encoding="utf-8"), "x.yaml")
    with pytest.raises(InputError, match="no YAML entries"):
        read_entries(tmp_path)
    with pytest.raises(InputError, match="name an entry"):
        read_entries(tmp_path / "none")


def test_two_entries_of_one_slug_are_refused(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_bytes(ONE.read_bytes())
    with pytest.raises(InputError, match="rename one"):
        read_entries(tmp_path)


def test_a_schema_that_lies_beside_the_entries_is_the_one_that_counts(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "deployments").mkdir()
    (tmp_path / "deployments" / "a.yaml").write_text(ONE.read_text(encoding="utf-8") + "certificate: yes\n")
    with pytest.raises(InputError, match="certificate"):
        read_entries(tmp_path)
    schema = json.loads(json.dumps(entries.structure()))
    schema["properties"]["certificate"] = {}
    (tmp_path / "schemas" / "deployments-schema.yaml").write_text(json.dumps(schema))
    assert read_entries(tmp_path)[0].slug == read_entries(ONE)[0].slug


def test_without_pyyaml_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(entries.YamlUnavailableError, match=r"\[registry\]"):
        read_entries(ONE)


def test_the_sentence_around_words_is_the_entry_s() -> None:
    text = "First one. Then\n  epsilon = 2.5 holds. Last!\n- an item with 3\n- another"
    assert sentence_with(text, "epsilon = 2.5") == "Then epsilon = 2.5 holds."
    assert sentence_with(text, "with 3") == "- an item with 3"
    assert sentence_with(text, "Then epsilon") == "Then epsilon = 2.5 holds."
    assert sentence_with(text, "epsilon = 2.6") is None
    assert sentence_with(text, "3 - another") == "3 - another"


@given(st.lists(st.sampled_from(["a", "b.", "c\n", "- d", "e!", "2.5"]), min_size=1, max_size=12), st.data())
def test_words_that_stand_in_a_text_are_found_and_no_others(parts: list[str], data: st.DataObject) -> None:
    text = " ".join(parts)
    words = text.split()
    start = data.draw(st.integers(0, len(words) - 1))
    stop = data.draw(st.integers(start + 1, len(words)))
    chosen = " ".join(words[start:stop])
    found = sentence_with(text, chosen)
    assert found is not None
    assert chosen in found
    assert found in " ".join(words)
    assert sentence_with(text, chosen + " zz") is None


def test_the_shipped_structure_is_that_of_the_registry() -> None:
    """Over the whole snapshot, where a path to it is given."""
    yaml = pytest.importorskip("yaml")
    path = os.environ.get("PRIVREF_REGISTRY")
    if not path:
        pytest.skip("PRIVREF_REGISTRY names no folder of the deployments registry")
    schema = yaml.safe_load((Path(path) / "schemas" / "deployments-schema.yaml").read_text(encoding="utf-8"))
    ours = {key: value for key, value in entries.structure().items() if not key.startswith("$") and key != "title"}
    assert ours == entries.structure_of(schema)
