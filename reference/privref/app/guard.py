"""Who may ask: the own browser, with the token, at this address; and how much may be sent."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .jobs import Limits

#: What the pages may load: their own style and script, and nothing from elsewhere.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: with it browsers send the Origin of a form as null.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: Goes on to the first page by itself, as a navigation of this site: only then is a strict cookie sent with it.
_ENTRY = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>privref</title>'
    '<meta http-equiv="refresh" content="0;url=/"></head><body><p><a href="/">privref</a></p></body></html>'
)


class _TooLargeError(Exception):
    pass


class _TooSlowError(Exception):
    pass


class Guard:
    """Refuses a request from another site, for another host, without the cookie, or that is too large or too slow.

    The token lets a browser in, and the cookie keeps it in: who reads one of the two does not have the other.
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str, limits: Limits) -> None:
        self.app, self.token, self.most_bytes = app, token, limits.upload_bytes
        self.body_seconds = limits.body_seconds
        self.secret = secrets.token_urlsafe(24)
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}
        # Cookies are shared by all ports of a host.
        self.cookie = f"privref-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        began = False

        async def answer(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        seen, more = 0, True
        began_at = asyncio.get_running_loop().time()

        async def bounded() -> Message:
            nonlocal seen, more
            try:
                # Behind the body it is waited for the end of the connection, which may be long.
                async with asyncio.timeout_at(began_at + self.body_seconds if more else None):
                    message = await receive()
            except TimeoutError:
                raise _TooSlowError from None
            more = message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > self.most_bytes:
                raise _TooLargeError
            return message

        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, answer)
            return
        try:
            await self.app(scope, bounded, answer)
        except (_TooLargeError, _TooSlowError) as error:
            if began:
                raise
            slow = PlainTextResponse(f"A request has {self.body_seconds:g} seconds to arrive.\n", 408)
            await (slow if isinstance(error, _TooSlowError) else self._too_large())(scope, receive, answer)

    def _refused(self, scope: Scope, headers: Headers) -> PlainTextResponse | HTMLResponse | None:
        """Return the refusal of a request; None for one that is answered."""
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("This address is not that of the app.\n", 421)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin not in self.origins:
            return PlainTextResponse("Requests of other sites are refused.\n", 403)
        if scope["method"] not in ("GET", "HEAD"):
            if origin is None and site != "same-origin":
                return PlainTextResponse("A form has to come from the app's own page.\n", 403)
        elif site in ("cross-site", "same-site") and headers.get("sec-fetch-mode") != "navigate":
            return PlainTextResponse("Requests of other sites are refused.\n", 403)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and scope["method"] == "GET" and scope["path"] == "/" and _are_equal(given, self.token):
            found = HTMLResponse(_ENTRY)
            found.set_cookie(self.cookie, self.secret, httponly=True, samesite="strict")
            return found
        if not _are_equal(self._cookie(headers), self.secret):
            words = "Open the address that privref app printed: it holds the token without which nobody is answered.\n"
            return PlainTextResponse(words, 403)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.most_bytes:
            return self._too_large()
        return None

    def _cookie(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value

    def _too_large(self) -> PlainTextResponse:
        return PlainTextResponse(f"At most {self.most_bytes // 2**20} MB are read.\n", 413)


def _are_equal(given: str, secret: str) -> bool:
    """Compare in a time that says nothing of where the two differ."""
    return secrets.compare_digest(given.encode(), secret.encode())
