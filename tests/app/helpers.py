"""A client of the app's routes, as a browser on this machine would be."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

from starlette.testclient import TestClient

from privref.app.jobs import Limits
from privref.app.pages import application

HOST, TOKEN = "127.0.0.1:8000", "a-token"
ORIGIN = {"Origin": f"http://{HOST}"}
SHEET = "Release,Privacy loss (ε)\na,1/2\nb,0.25\n"
ANSWERS = {
    "parameters": "fixed-in-advance", "neighbours": "replace-one", "interaction": "concurrent", "epsilon": "3/4",
    "delta": "0",
}  # fmt: skip


@contextmanager
def client(limits: Limits | None = None, *, token: str = TOKEN) -> Iterator[Any]:
    """A client that came in by the token, and has the cookie for it."""
    app = application(port=8000, token=TOKEN, limits=limits)
    with TestClient(app, base_url=f"http://{HOST}") as found:
        found.get("/", params={"token": token})
        yield found


def upload(found: Any, data: str | bytes, name: str = "sheet.csv") -> str:
    """Give a file, and return the address of its page."""
    body = data.encode() if isinstance(data, str) else data
    answer = found.post("/ledger", files={"ledger": (name, body)}, headers=ORIGIN, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def settled(found: Any, page: str, seconds: float = 120) -> Any:
    """Return a page as soon as its process has ended."""
    begun = time.monotonic()
    while (waited := time.monotonic() - begun) < seconds:
        answer = found.get(page)
        if 'id="working"' not in answer.text:
            return answer
        # Each look takes processor time from what it waits for, so the longer that takes the fewer there are.
        time.sleep(max(0.05, waited / 5))
    raise AssertionError(f"{page} works for more than {seconds} seconds")


def audited(found: Any, page: str, **given: str) -> Any:
    """Answer the questions, and return the page of the verdicts."""
    settled(found, page)
    answer = found.post(f"{page}/audit", data={**ANSWERS, **given}, headers=ORIGIN, follow_redirects=False)
    assert answer.status_code in (303, 422), answer.text
    return settled(found, page) if answer.status_code == 303 else answer


def words(answer: Any) -> str:
    """What a page says, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.text)).split())
