"""Who is answered: the browser with the token, at the app's own address, and no other site through it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from privref.app.jobs import Limits
from privref.app.pages import application
from tests.app.helpers import HOST, ORIGIN, SHEET, TOKEN, client, words


@pytest.fixture(scope="module")
def ours() -> Any:
    with client() as found:
        yield found


@pytest.mark.parametrize("given", ["", "other", TOKEN, f"{TOKEN}x"])
@pytest.mark.parametrize("path", ["/", "/static/app.css", "/jobs/x", "/jobs/x/report"])
def test_nobody_is_answered_without_the_cookie(path: str, given: str) -> None:
    """Not by the token either: it is no cookie."""
    with client(token="none") as found:
        answer = found.get(path, headers={"Cookie": f"privref-8000={given}"})
        assert (answer.status_code, "privref app printed" in answer.text) == (403, True)
        assert found.get(f"{path}?token=wrong").status_code == 403


def test_the_address_with_the_token_sets_a_cookie_that_no_script_and_no_other_site_sends() -> None:
    with client(token="none") as found:
        assert not found.cookies
        answer = found.get(f"/?token={TOKEN}")
        cookie = answer.headers["set-cookie"]
        assert answer.status_code == 200
        assert all(part in cookie for part in ("privref-8000=", "HttpOnly", "SameSite=strict", "Path=/"))
        assert TOKEN not in answer.text + cookie
        assert found.get("/").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", "localhost:80", ""]
)
def test_another_host_is_refused(ours: Any, host: str) -> None:
    """A name of another site that resolves to this machine (DNS rebinding) brings its own Host."""
    assert ours.get("/", headers={"Host": host}).status_code == 421


def test_localhost_is_the_same_machine(ours: Any) -> None:
    headers = {"Host": "localhost:8000", "Cookie": f"privref-8000={ours.cookies['privref-8000']}"}
    assert ours.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://{HOST}", "http://127.0.0.1:8001"])
@pytest.mark.parametrize("path", ["/ledger", "/run", "/jobs/x/audit", "/jobs/x/stop", "/jobs/x/remove"])
def test_a_form_of_another_site_is_refused(ours: Any, path: str, origin: str) -> None:
    answer = ours.post(path, data={"a": "b"}, headers={"Origin": origin})
    assert (answer.status_code, "refused" in answer.text) == (403, True)


def test_a_form_without_an_origin_is_refused_unless_the_browser_vouches(ours: Any) -> None:
    assert ours.post("/run", data={}).status_code == 403
    assert ours.post("/run", data={}, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert ours.post("/ledger", data={}, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 422


def test_another_site_cannot_load_a_part(ours: Any) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert ours.get("/static/app.js", headers=headers).status_code == 403


def test_every_answer_has_the_policy(ours: Any) -> None:
    for answer in (ours.get("/"), ours.get("/none"), ours.get("/", headers={"Host": "x"})):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_an_upload_is_bounded_by_what_is_sent() -> None:
    """Also where the length is not said, or said wrongly."""
    with client(Limits(upload_bytes=4096)) as found:
        body = SHEET.encode() + b"\n" * 5000
        whole = found.post("/ledger", files={"ledger": ("a.csv", body)}, headers=ORIGIN)
        assert whole.status_code == 413

        def pieces() -> Any:
            yield b'--x\r\nContent-Disposition: form-data; name="ledger"; filename="a.csv"\r\n\r\n'
            for _ in range(50):
                yield b"\n" * 100
            yield b"\r\n--x--\r\n"

        headers = {**ORIGIN, "Content-Type": "multipart/form-data; boundary=x"}
        assert found.post("/ledger", content=pieces(), headers=headers).status_code == 413
        assert list(found.app.state.jobs) == []


def test_a_form_has_so_many_fields_and_one_file(ours: Any) -> None:
    two = [("ledger", ("a.csv", b"x")), ("ledger", ("b.csv", b"x"))]
    assert ours.post("/ledger", files=two, headers=ORIGIN).status_code == 400
    many = {f"field{i}": "x" for i in range(100)}
    assert ours.post("/run", data=many, headers=ORIGIN).status_code == 400
    long = ours.post("/run", data={"steps": "1" * 1000}, headers=ORIGIN)
    assert (long.status_code, "too long" in words(long)) == (413, True)


def test_a_request_that_does_not_arrive_is_given_up() -> None:
    """A body that never ends would otherwise hold its connection."""

    async def ask() -> list[Any]:
        app = application(port=8000, token=TOKEN, limits=Limits(body_seconds=0.05))
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def never() -> Any:
            await asyncio.sleep(60)

        scope = {
            "type": "http", "http_version": "1.1", "method": "GET", "path": "/", "root_path": "", "scheme": "http",
            "query_string": f"token={TOKEN}".encode(), "headers": [(b"host", HOST.encode())],
        }  # fmt: skip
        await app(scope, never, send)
        cookie = dict(sent[0]["headers"])[b"set-cookie"].split(b";")[0]
        sent.clear()
        headers = [
            (b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode()), (b"cookie", cookie),
            (b"content-type", b"application/x-www-form-urlencoded"),
        ]  # fmt: skip
        await app(scope | {"method": "POST", "path": "/run", "query_string": b"", "headers": headers}, never, send)
        app.state.jobs.close()
        return sent

    assert asyncio.run(ask())[0]["status"] == 408
