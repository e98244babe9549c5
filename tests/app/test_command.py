"""The command: at the loopback only, ended by Ctrl-C, and a plain word where something is missing."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import privref
from privref.app.server import bound, owner_of, serve
from privref.cli.main import main
from privref.exact.extras import install


def test_only_this_machine_is_listened_to() -> None:
    with bound(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        with pytest.raises(privref.InputError, match=r"--port: .* name a free port"):
            bound(listening.getsockname()[1])


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGHUP], ids=["Ctrl-C", "a closed terminal"])
def test_the_command_answers_until_it_is_interrupted(tmp_path: Path, ends: signal.Signals) -> None:
    """It prints one address with a token, answers there, and leaves no file."""
    command = [sys.executable, "-m", "privref", "app", "--no-browser"]
    environment = {"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.HTTPError, match="403") as refused:
            urllib.request.urlopen(address.split("?")[0])
        refused.value.close()
        port = int(address.split(":")[2].split("/")[0])
        for other in {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}:
            if not other.startswith("127."):
                with pytest.raises(OSError, match="refused"):
                    socket.create_connection((other, port), 2)
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(ends)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []
    assert tempfile.gettempdir() != str(tmp_path)


def test_the_browser_is_called_with_a_file_that_only_the_user_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not with the token, which every user of the machine would see in the list of processes."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    said: list[str] = []
    opened: list[str] = []

    def open_(url: str) -> bool:
        opened.append(url)
        path = Path(url.removeprefix("file://"))
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        assert f'content="0;url={said[0]}"' in path.read_text(encoding="utf-8")
        os.kill(os.getpid(), signal.SIGINT)
        return True

    monkeypatch.setattr("webbrowser.open", open_)
    serve(0, browser=True, say=said.append)
    assert said[0].partition("token=")[2] not in opened[0]
    assert list(tmp_path.iterdir()) == []


def test_connections_that_ask_nothing_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred of another user, some of them in the middle of a request: the browser is answered at once."""
    command = [sys.executable, "-m", "privref", "app", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        port = int(address.split(":")[2].split("/")[0])
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
        heads = (b"", b"GET / HTTP/1.1\r\nHost: x", b"POST /ledger HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx")
        for i, each in enumerate(idle):
            with contextlib.suppress(OSError):  # closed already
                each.sendall(heads[i % 3])
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert answer.status == 200
        for each in idle:
            each.close()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in said) == (0, False)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists() or os.getuid() != 0, reason="root alone can be another user")
def test_the_connection_of_another_user_is_known() -> None:
    """Linux says whose it is; this user's own is answered, and that of another is closed."""
    code = (
        "import encodings.idna, os, socket, sys\nos.setuid(int(sys.argv[2]))\n"
        "with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as own: own.recv(1)"
    )
    with bound(0) as listening:
        listening.listen()
        listening.settimeout(60)
        for user in (0, 65534):
            with subprocess.Popen([sys.executable, "-c", code, str(listening.getsockname()[1]), str(user)]):
                connection, client = listening.accept()
                with connection:
                    assert owner_of(client, listening.getsockname()) == user
        assert owner_of(("127.0.0.1", 1), listening.getsockname()) is None


def test_another_users_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("privref.app.server.owner_of", lambda client, server: 4321)
    monkeypatch.setattr(os, "getuid", lambda: 1234)
    seen: list[bytes] = []

    def ask(address: str) -> None:
        def connect() -> None:
            host, _, path = address.removeprefix("http://").partition("/")
            with (
                contextlib.suppress(ConnectionError),
                socket.create_connection(("127.0.0.1", int(host.split(":")[1])), 20) as other,
            ):
                other.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                seen.append(other.recv(1))
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=connect).start()

    serve(0, browser=False, say=ask)
    assert seen in ([], [b""])


def test_a_connection_that_brings_no_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("privref.app.server._WAIT_SECONDS", 0.2)
    seen: list[bytes] = []

    def drip(address: str) -> None:
        def connect() -> None:
            port = int(address.split(":")[2].split("/")[0])
            with socket.create_connection(("127.0.0.1", port), 20) as slow:
                slow.sendall(b"GET / HTTP/1.1\r\n")
                seen.append(slow.recv(1))
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=connect).start()

    serve(0, browser=False, say=drip)
    assert seen == [b""]


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith("privref.app.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    with pytest.raises(SystemExit) as ended:
        main(["app", "--no-browser"])
    assert ended.value.code == 2
    assert install("app") in capsys.readouterr().err
