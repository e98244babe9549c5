"""An audit without a terminal: pages on the own machine only (``privref app``), each audit in its own process."""

from __future__ import annotations

from collections.abc import Callable

from privref.exact.errors import InputError
from privref.exact.extras import install


def serve(port: int, *, browser: bool, say: Callable[[str], None]) -> None:
    """Answer until interrupted (privref.app.server.serve); InputError where a package of the extra is missing."""
    try:
        from privref.app.server import serve
    except ImportError as error:
        raise InputError("app", str(error.name), f"this needs a few packages more: {install('app')}") from None
    serve(port, browser=browser, say=say)
