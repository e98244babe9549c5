"""From a file to verdicts and downloads: what is asked, what is refused, what is bounded, and what is never a pass."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, cast, get_args

import pytest

import privref
from privref.app import jobs as jobs_module
from privref.app.jobs import Jobs, Limits, file_name, remove_left_behind
from privref.audit.opinions import MEANINGS
from tests.app.helpers import ANSWERS, ORIGIN, SHEET, audited, client, settled, upload, words


@pytest.fixture(scope="module")
def ours() -> Any:
    with client() as found:
        yield found


def test_from_a_sheet_to_downloads_that_verify(ours: Any) -> None:
    page = upload(ours, SHEET, "C:\\Users\\Ann\\my <b>ledger</b>.csv")
    read = words(settled(ours, page))
    assert "B1 Privacy loss (ε) epsilon of the guarantee B2: 1/2 1/2" in read
    assert "Three questions" in read
    shown = audited(ours, page)
    assert "✓ confirmed" in words(shown)
    assert "<b>ledger" not in shown.text
    files = {
        name: ours.get(f"{page}/files/{name}")
        for name in ("report.html", "letter.txt", "ledger.json", "audit.json", "claim.certificate.json")
    }
    for name, answer in files.items():
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert privref.verify(files["claim.certificate.json"].json()).outcome == "verified"
    ledger = privref.ledger_from_document(files["ledger.json"].json())
    assert (ledger.parameters, ledger.neighbours, ledger.interaction) == (
        "fixed-in-advance", "replace-one", "concurrent",
    )  # fmt: skip
    assert "are (3/4, 0)-DP" in files["letter.txt"].text
    assert files["audit.json"].json()["schema"] == "audit.1"
    assert "<h2>Claims</h2>" in files["report.html"].text


def test_the_report_is_shown_as_if_of_another_site(ours: Any) -> None:
    page = upload(ours, SHEET)
    audited(ours, page)
    policy = ours.get(f"{page}/report").headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts allow-downloads;")
    assert "allow-same-origin" not in policy


@pytest.mark.parametrize(
    ("data", "name", "question"),
    [
        ("Release,ε\na,log 3\nb,~2\n", "a.csv", "ledger line 2, column ε: privref rejects 'log 3'"),
        (b"PK\x03\x04 no workbook", "a.xlsx", "this is not a readable XLSX file"),
        (b"\xd0\xcf\x11\xe0", "a.xls", "a workbook of Excel 97 to 2003"),
        ("{", "a.json", "this is not valid JSON: it is not complete"),
        ("", "a.csv", "this sheet has no row"),
        ('{"schema": "claims.1"}', "a.json", "a ledger (ledger.1) is read here"),
    ],
)
def test_a_bad_file_is_asked_about_and_has_no_verdict(ours: Any, data: Any, name: str, question: str) -> None:
    answer = settled(ours, upload(ours, data, name))
    assert answer.status_code == 422
    assert question in words(answer)
    assert "There is no verdict." in words(answer)
    assert "Audit" not in words(answer)
    assert "privref-app" not in words(answer)  # nor where the app keeps the file


def test_a_page_is_bounded_whatever_a_sheet_says(ours: Any) -> None:
    """Of long names and many columns so much is shown, and how much more there is."""
    words_ = ",".join(f"word {i}" for i in range(500))
    answer = settled(ours, upload(ours, f"release,epsilon,{words_}\n{'a' * 100_000},1{',x' * 500}\n"))
    assert answer.status_code == 200
    assert "and 442 more columns" in words(answer)
    assert len(answer.text) < 40_000


def test_no_file_is_no_job(ours: Any) -> None:
    before = len(list(ours.app.state.jobs))
    answer = ours.post("/ledger", data={"ledger": ""}, headers=ORIGIN)
    assert (answer.status_code, "Choose a file first" in words(answer)) == (422, True)
    assert len(list(ours.app.state.jobs)) == before


@pytest.mark.parametrize(
    ("left", "words_"),
    [
        ({"parameters": "always"}, "Were all privacy parameters fixed"),
        ({"neighbours": "x"}, "Which change of the data"),
        ({"delta": ""}, "At which δ?"),
        ({"epsilon": "", "delta": ""}, "At which δ?"),
        ({"more": "1"}, "write epsilon and delta of each further claim"),
        ({"more": "1, 0\n" * 30}, "At most 20 claims"),
        ({"epsilon": "ln 3"}, "epsilon of claim: privref rejects 'ln 3'"),
        ({"epsilon": "-1"}, "claim"),
        ({"delta": "2"}, "delta"),
    ],
    ids=str,
)
def test_what_is_not_answered_is_asked_again_with_what_was(ours: Any, left: dict[str, str], words_: str) -> None:
    page = upload(ours, SHEET)
    answer = audited(ours, page, **left)
    assert answer.status_code == 422
    assert words_ in words(answer)
    assert "There is no verdict yet" in words(answer)
    assert 'value="fixed-in-advance" checked' in answer.text or "parameters" in left


def test_what_is_not_known_is_not_declared(ours: Any) -> None:
    """Nothing that was not answered carries a verdict, and there is no document that would state it."""
    page = upload(ours, "Release,ε,δ\na,1,1e-6\nb,1,1e-6\n")
    answer = audited(ours, page, parameters="", neighbours="", epsilon="2", delta="2e-6")
    assert "<title>Not confirmed" in answer.text
    assert "✓" not in words(answer)
    assert "There is no ledger.json" in words(answer)
    assert ours.get(f"{page}/files/ledger.json").status_code == 404
    assert "is not confirmed" in ours.get(f"{page}/files/letter.txt").text


def test_what_samples_need_is_said_of_the_questions_of_the_page(ours: Any) -> None:
    page = upload(ours, "noise multiplier,q,sampling,steps\n2,0.01,poisson,1\n")
    text = words(audited(ours, page, neighbours="", epsilon="1", delta="1e-5"))
    assert "Then choose that answer to the second question, or the one that is true" in text
    assert re.search(r"--[a-z]", text) is None


NOT_CONFIRMED: dict[str, tuple[str, dict[str, str]]] = {
    "underivable": (SHEET, {"epsilon": "0.7"}),
    "unsupported": ("Release,ρ,ε,δ\na,1/10,,0\nb,,1,1e-6\n", {"epsilon": "2.5", "delta": "1e-5"}),
    "inapplicable": (
        "noise multiplier,q,sampling,steps\n2,0.01,shuffled,1\n", {"neighbours": "add-or-remove-one", "delta": "1e-5"},
    ),
    "refuted": ("mechanism,sigma,sensitivity\ngaussian,1,1\n", {"epsilon": "1", "delta": "1e-6"}),
    "conditional": (SHEET, {"parameters": "chosen-adaptively"}),
    "depends-on-digits": ("ε (rounded)\n0.81\n", {"epsilon": "0.81"}),
}  # fmt: skip


@pytest.mark.parametrize("verdict", NOT_CONFIRMED)
def test_no_other_verdict_looks_like_a_pass(ours: Any, verdict: str) -> None:
    data, given = NOT_CONFIRMED[verdict]
    page = upload(ours, data)
    answer = audited(ours, page, **given)
    text = words(answer)
    assert f" {verdict} (" in text
    assert re.search(r"--[a-z]|`privref ", text) is None  # what to do is said of the pages, not of commands
    assert "<title>Not confirmed:" in answer.text
    assert "0 of 1 confirmed" in text
    assert f'class="card verdict-{verdict}"' in answer.text
    assert "✓" not in text
    assert f"Meaning: {MEANINGS[cast(privref.Verdict, verdict)]}." in text
    assert "is not confirmed" in ours.get(f"{page}/files/letter.txt").text


def test_only_confirmed_has_the_tick() -> None:
    from privref.report.html import MARKS

    assert [verdict for verdict in get_args(privref.Verdict) if MARKS.get(verdict) == "✓"] == ["confirmed"]


def test_a_training_run_is_read_from_its_form(ours: Any) -> None:
    run = {"noise_multiplier": "2", "batch_size": "600", "records": "60000", "epochs": "1", "delta": "1e-5",
           "sampling": "poisson"}  # fmt: skip
    answer = ours.post("/run", data=run, headers=ORIGIN, follow_redirects=False)
    page = answer.headers["location"]
    read = settled(ours, page)
    assert "rate 1/100, sampling poisson), 100 times" in words(read)
    assert "One question" in words(read)
    assert 'name="delta" inputmode="text" autocomplete="off" maxlength="200" value="1e-5"' in read.text
    assert "✓ confirmed" in words(audited(ours, page, epsilon="1", delta="1e-5"))
    certificate = ours.get(f"{page}/files/claim.certificate.json").json()
    assert privref.verify(certificate).outcome == "verified"


@pytest.mark.parametrize(
    ("change", "question"),
    [
        ({"sampling": ""}, "sampling"),
        ({"noise_multiplier": ""}, "noise multiplier is missing"),
        ({"epochs": ""}, "epochs is missing"),
        ({"steps": "7"}, "steps: "),
        ({"batch_size": "70000"}, "sampling rate: privref rejects '7/6': a rate is a probability"),
        ({"records": "many"}, "records: privref rejects 'many'"),
    ],
    ids=str,
)
def test_a_training_run_that_is_not_whole_is_asked_about(ours: Any, change: dict[str, str], question: str) -> None:
    run = {"noise_multiplier": "2", "batch_size": "600", "records": "60000", "epochs": "1", "sampling": "poisson"}
    answer = ours.post("/run", data=run | change, headers=ORIGIN, follow_redirects=False)
    assert question in words(settled(ours, answer.headers["location"]))


def test_a_training_run_may_ask_which_epsilon_is_proved(ours: Any) -> None:
    run = {"noise_multiplier": "1", "sampling_rate": "1/100", "steps": "10", "sampling": "poisson"}
    page = ours.post("/run", data=run, headers=ORIGIN, follow_redirects=False).headers["location"]
    shown = words(audited(ours, page, epsilon="", delta="1e-5"))
    proved = privref.epsilon({"noise_multiplier": "1", "sampling_rate": "1/100", "num_steps": 10,
                              "sampling": "poisson"}, "1e-5")  # fmt: skip
    assert "✓ confirmed (0.38" in shown
    assert "You asked which ε is proved at this δ" in shown
    claim = ours.get(f"{page}/files/claim.certificate.json").json()["claim"]
    assert proved.upper <= privref.rational(claim["epsilon"]) <= proved.lower + Fraction(1, 10**4)


def test_where_no_epsilon_is_proved_none_is_said(ours: Any) -> None:
    page = upload(ours, "Release,ε,δ\na,1,1e-6\nb,1,1e-6\n")
    answer = audited(ours, page, parameters="", epsilon="", delta="1e-7")
    assert (answer.status_code, "no epsilon is proved" in words(answer)) == (422, True)


def test_a_claim_that_says_nothing_has_no_letter(ours: Any) -> None:
    page = upload(ours, SHEET)
    shown = words(audited(ours, page, epsilon="0", delta="1"))
    assert "Nothing for a letter" in shown
    assert "promises nothing" in ours.get(f"{page}/files/letter.txt").text


def test_columns_that_change_no_verdict_are_shown_apart(ours: Any) -> None:
    read = words(settled(ours, upload(ours, "Release,ε,Reviewer\na,1/2,Ann\n")))
    decide, apart = read.split("Columns that change no verdict")
    assert "epsilon of the guarantee" in decide.split("Columns that the verdicts depend on")[1]
    assert "Reviewer" not in decide
    assert "Reviewer : a word about the release" in apart


def test_a_sheet_that_declares_of_a_row_is_told_what_the_pages_do(ours: Any) -> None:
    said = words(settled(ours, upload(ours, "ε,neighbours\n1,replace-one\n")))
    assert "asked of the whole sheet on the next page" in said
    assert "--" not in said


def test_batches_of_a_shuffle_confirm_nothing(ours: Any) -> None:
    run = {"noise_multiplier": "2", "sampling_rate": "0.01", "steps": "100", "sampling": "shuffled"}
    answer = ours.post("/run", data=run, headers=ORIGIN, follow_redirects=False)
    assert "<title>Not confirmed" in audited(ours, answer.headers["location"], epsilon="1", delta="1e-5").text


def test_a_json_ledger_says_its_answers_itself(ours: Any) -> None:
    document = privref.example_document("census2020-guarantees", "ledger")
    page = upload(ours, json.dumps(document), "census.json")
    assert "One question" in words(settled(ours, page))
    assert "✓ confirmed" in words(audited(ours, page, epsilon="20", delta="1e-10"))
    assert ours.get(f"{page}/files/ledger.json").json() == document


# --- bounds ---------------------------------------------------------------------------------------------------------


def running(folder: Path) -> list[str]:
    """The processes that work in a folder."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in found.splitlines() if "privref.app.worker" in line and str(folder) in line]


@pytest.mark.parametrize(
    ("limits", "data", "why"),
    [
        (Limits(audit_seconds=0.1), SHEET, "It took longer than 0.1 seconds, and was stopped."),
        (
            Limits(memory_bytes=128 * 2**20), "epsilon,label\n" + "".join(f"0.1,{i}\n" for i in range(10**6)),
            "It needed more memory than 128 MB, and was stopped.",
        ),
    ],
    ids=["time", "memory"],
)  # fmt: skip
def test_an_audit_that_takes_too_much_is_stopped_without_a_verdict(limits: Limits, data: str, why: str) -> None:
    with client(limits) as found:
        page = upload(found, data)
        answer = settled(found, page)
        if answer.status_code == 200:
            answer = audited(found, page)
        assert answer.status_code == 422
        assert why in words(answer)
        assert "confirmed" not in words(answer)
        (job,) = found.app.state.jobs
        assert running(job.folder) == []


HUNG = (sys.executable, "-c", "import time; time.sleep(3600)", "privref.app.worker")


@pytest.mark.parametrize(
    ("limits", "act", "why"),
    [
        (Limits(), lambda found, page: found.post(f"{page}/stop", headers=ORIGIN), "It was stopped, as asked."),
        (Limits(read_seconds=0.5), lambda found, page: None, "It took longer than 0.5 seconds"),
        (Limits(gone_seconds=0.3), lambda found, page: time.sleep(1), "Its page was closed"),
    ],
    ids=["stop", "time", "gone"],
)
def test_a_process_that_hangs_is_ended(
    limits: Limits, act: Callable[[Any, str], Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "COMMAND", HUNG)
    with client(limits) as found:
        page = upload(found, SHEET)
        (job,) = found.app.state.jobs
        act(found, page)
        assert why in words(settled(found, page, 20))
        assert running(job.folder) == []


def test_so_many_work_at_once_and_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with client(Limits(jobs=2)) as found:
        pages = [upload(found, SHEET, f"{i}.csv") for i in range(2) if not time.sleep(0)]
        for page in pages:
            settled(found, page)
        upload(found, SHEET, "third.csv")
        assert found.get(pages[0]).status_code == 404
        assert len(list(found.app.state.jobs)) == 2
    monkeypatch.setattr(jobs_module, "COMMAND", HUNG)
    with client(Limits(working=1)) as found:
        upload(found, SHEET)
        busy = found.post("/ledger", files={"ledger": ("b.csv", SHEET.encode())}, headers=ORIGIN)
        assert (busy.status_code, "As many audits work as may at once" in words(busy)) == (429, True)
        assert len(list(found.app.state.jobs)) == 1


def test_the_end_of_the_server_leaves_no_process_and_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "COMMAND", HUNG)
    with client() as found:
        upload(found, SHEET)
        (job,) = found.app.state.jobs
        root = job.folder.parent
        assert (job.folder / "in" / "sheet.csv").read_text(encoding="utf-8") == SHEET
    assert not root.exists()
    assert running(root) == []


def test_a_watcher_that_fails_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong with the files of a job, the next one is answered."""
    with client(Limits(working=1)) as found:
        settle = Jobs._settle
        monkeypatch.setattr(Jobs, "_settle", lambda self, job, why: [][1])
        monkeypatch.setattr(threading, "excepthook", lambda what: None)
        assert "by a fault of privref" in words(settled(found, upload(found, SHEET), 60))
        monkeypatch.setattr(Jobs, "_settle", settle)
        assert "Three questions" in words(settled(found, upload(found, SHEET), 60))


def test_what_a_killed_server_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """Not that of a server that lives, nor of one that may be starting, nor what only has the name."""
    code = (
        "import sys, pathlib, time\nfrom privref.app.jobs import Jobs\nfrom privref.app.jobs import Limits\n"
        "jobs = Jobs(Limits())\njobs.new('sheet.csv')\nprint(jobs.folder, flush=True)\ntime.sleep(600)"
    )
    servers = []
    for _ in range(2):
        server = subprocess.Popen(
            [sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        servers.append((server, Path(server.stdout.readline().strip())))
    (killed, left), (alive, kept) = servers
    killed.kill()
    killed.wait()
    other = tmp_path / "privref-app-other"
    other.mkdir()
    try:
        remove_left_behind(tmp_path)
        assert left.exists()  # still young
        for folder in (left, kept, other):
            os.utime(folder, (0, 0))
        remove_left_behind(tmp_path)
        assert [folder.exists() for folder in (left, kept, other)] == [False, True, True]
    finally:
        alive.kill()
        alive.wait()
        for server, _ in servers:
            assert server.stdout is not None
            server.stdout.close()


def test_what_is_removed_is_gone(ours: Any) -> None:
    page = upload(ours, SHEET)
    settled(ours, page)
    job = ours.app.state.jobs.get(page.rsplit("/", 1)[1])
    assert ours.post(f"{page}/remove", headers=ORIGIN).status_code == 200
    assert ours.get(page).status_code == 404
    assert not job.folder.exists()


def test_no_other_file_is_given(ours: Any) -> None:
    page = upload(ours, SHEET)
    settled(ours, page)
    for name in ("../task.json", "..%2Ftask.json", "task.json", "claim.certificate.json", "x"):
        assert ours.get(f"{page}/files/{name}").status_code == 404, name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("ledger.csv", "ledger.csv"), ("../../etc/passwd", "passwd"), ("C:\\a\\b.xlsx", "b.xlsx"), ("..", "ledger"),
        ("<script>.csv", "_script_.csv"), (".csv", "csv"), ("a" * 300 + ".xlsx", "a" * 60 + ".xlsx"), ("", "ledger"),
        ("Straße 1.csv", "Straße 1.csv"), ("a\0b.csv", "a_b.csv"), ("/", "ledger"),
    ],
)  # fmt: skip
def test_a_file_keeps_a_name_that_is_safe(given: str, name: str) -> None:
    assert file_name(given) == name


def test_the_answers_that_are_known_are_those_of_the_command() -> None:
    from privref.app.pages import ANSWERS as KNOWN
    from privref.cli.starting import _QUESTIONS

    assert {name: set(KNOWN[name]) - {""} for name in KNOWN} == {
        name: set(asked[1]) for name, asked in _QUESTIONS.items()
    }
    assert set(ANSWERS) > set(KNOWN)


def test_the_letter_says_what_it_assumes(ours: Any) -> None:
    """Under its sentence, in the file and on the page: what the ledger is believed about, and each premise."""
    page = upload(ours, "epsilon,part of county\n1,A\n1,B\n")
    shown = words(audited(ours, page, epsilon="1", neighbours="add-or-remove-one"))
    assert "✓ confirmed" in shown
    sentence, assuming = ours.get(f"{page}/files/letter.txt").text.splitlines()
    assert "(1, 0)-DP" in sentence
    assert assuming.startswith("Assuming: every event has the guarantee that the ledger declares;")
    assert f"{sentence} {assuming}" in shown


@pytest.mark.parametrize("line", ["1,5", "1,10^-6", "1 ,5"])
def test_a_comma_that_may_be_a_decimal_comma_is_asked_about(ours: Any, line: str) -> None:
    answer = audited(ours, upload(ours, SHEET), more=line)
    assert answer.status_code == 422
    assert f"“{line}”: write epsilon and delta of each further claim with a space between" in words(answer)


def test_a_further_claim_may_have_a_decimal_comma(ours: Any) -> None:
    page = upload(ours, SHEET)
    audited(ours, page, more="1,5; 10^-6")
    document = ours.get(f"{page}/files/audit.json").json()
    assert "1.5" in json.dumps(document) or "3/2" in json.dumps(document)
