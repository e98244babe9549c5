"""The server of ``privref app``: on the loopback of this machine, with a random token."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from privref.exact.errors import InputError

from .limits import Limits
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


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def serve(port: int, *, browser: bool, say: Callable[[str], None], limits: Limits | None = None) -> None:
    """Answer until interrupted; ``say`` is given the address, with the token, as soon as it answers."""
    listening = bound(port)
    port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
    address = f"http://127.0.0.1:{port}/?token={token}"
    config = uvicorn.Config(
        application(port=port, token=token, limits=limits),
        access_log=False,
        log_level="warning",
        server_header=False,
        ws="none",
        limit_concurrency=64,
        timeout_graceful_shutdown=2,
    )

    def ready() -> None:
        say(address)
        if browser:
            webbrowser.open(address)

    # A terminal that is closed ends it like Ctrl-C does, so that no sheet stays behind.
    for name in ("SIGHUP", "SIGBREAK"):
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), lambda *_: os.kill(os.getpid(), signal.SIGINT))
    # Ctrl-C is how it ends; uvicorn has shut it down by then.
    with listening, contextlib.suppress(KeyboardInterrupt):
        _Server(config, ready).run(sockets=[listening])
