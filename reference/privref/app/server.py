"""The server of ``privref app``: on the loopback of this machine, with a random token.

Every user of the machine can connect to it, so connections that ask nothing must not keep the browser out. A browser
sends the cookies of one port to all ports of the machine, so another user's server may come to know them: where the
system says whose connection it is (Linux), that of another user is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from privref.exact.errors import InputError

from .jobs import Limits
from .pages import application


def bound(port: int) -> socket.socket:
    """Return a socket that listens on this machine only; at port 0 the system chooses one."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.bind(("127.0.0.1", port))
    except OSError as error:
        found.close()
        raise InputError("--port", port, f"name a free port, or leave it out ({error.strerror})") from None
    return found


#: Connections that wait for a request; for one more the oldest of them is closed.
_MOST_WAITING = 64
#: How long a connection may take to bring a request, in seconds.
_WAIT_SECONDS = 10.0


def owner_of(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """Return the user id of the program at the client's end of a connection within this machine; None if not known."""
    try:
        table = Path("/proc/net/tcp").read_text(encoding="ascii")
    except OSError:
        return None
    ends = [
        f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}" for host, port in (client, server)
    ]
    # Number, local end, remote end, state, queues, timer, retransmissions, user id.
    rows = (line.split() for line in table.splitlines()[1:])
    return next((int(row[7]) for row in rows if row[1:3] == ends), None)


class _Connection(H11Protocol):
    """A connection that is closed where it brings no request in time, or is the oldest of too many such ones."""

    _since = 0.0

    @property
    def _waits(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None and self.server is not None and self.server[1] is not None:
            owner = owner_of(self.client, (self.server[0], self.server[1]))
            # Root's own server may be opened by the browser of whoever sits at the machine.
            if owner is not None and os.getuid() not in (0, owner) and owner != 0:
                transport.abort()
                return
        self._wait()
        waiting = [other for other in self.connections if isinstance(other, _Connection) and other._waits]
        if len(waiting) > _MOST_WAITING:
            min(waiting, key=lambda other: other._since).transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        self._since = self.loop.time()
        self.loop.call_later(_WAIT_SECONDS, self._close_late, self._since)

    def _close_late(self, since: float) -> None:
        if self._waits and since == self._since:
            self.transport.close()


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _redirect(folder: Path, address: str) -> Path:
    """Write a page that goes on to the address, which only this user may read."""
    found = folder / "open.html"
    link = escape(address)
    text = f'<meta http-equiv="refresh" content="0;url={link}"><title>privref</title><a href="{link}">privref</a>'
    descriptor = os.open(found, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f'<!DOCTYPE html><html lang="en"><meta charset="utf-8">{text}</html>\n')
    return found


def serve(port: int, *, browser: bool, say: Callable[[str], None], limits: Limits | None = None) -> None:
    """Answer until interrupted; ``say`` is given the address, with the token, as soon as it answers."""
    listening = bound(port)
    port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
    address = f"http://127.0.0.1:{port}/?token={token}"
    app = application(port=port, token=token, limits=limits)
    config = uvicorn.Config(
        app,
        http=_Connection,
        backlog=_MOST_WAITING,
        access_log=False,
        log_level="warning",
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )

    def ready() -> None:
        say(address)
        if browser:
            # Every user of the machine sees what a program is called with: a file's name, and not the token.
            webbrowser.open(_redirect(app.state.jobs.folder, address).as_uri())

    # A terminal that is closed ends it like Ctrl-C does, so that no sheet stays behind.
    for name in ("SIGHUP", "SIGBREAK"):
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), lambda *_: os.kill(os.getpid(), signal.SIGINT))
    # Ctrl-C is how it ends; uvicorn has shut it down by then.
    with listening, contextlib.suppress(KeyboardInterrupt):
        _Server(config, ready).run(sockets=[listening])
