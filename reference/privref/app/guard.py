"""Who may ask: the own browser, with the token, at this address; and how much may be sent."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Guard:
    """Refuses a request from another site, for another host, without the token, or that is too large."""

    def __init__(self, app: ASGIApp, *, port: int, token: str, most_bytes: int) -> None:
        self.app, self.token, self.most_bytes = app, token, most_bytes
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

        seen = 0

        async def bounded() -> Message:
            nonlocal seen
            message = await receive()
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
        except _TooLargeError:
            if began:
                raise
            await self._too_large()(scope, receive, answer)

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
        if given and scope["method"] == "GET" and scope["path"] == "/" and self._is_token(given):
            found = HTMLResponse(_ENTRY)
            found.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return found
        if not self._is_token(self._cookie(headers)):
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

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())

    def _too_large(self) -> PlainTextResponse:
        return PlainTextResponse(f"At most {self.most_bytes // 2**20} MB are read.\n", 413)
