"""The command: at the loopback only, ended by Ctrl-C, and a plain word where something is missing."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import privref
from privref.app.server import bound
from privref.cli.main import main


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
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address.split("?")[0])
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


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith("privref.app.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    with pytest.raises(SystemExit) as ended:
        main(["app", "--no-browser"])
    assert ended.value.code == 2
    assert "pip install 'privref[app]'" in capsys.readouterr().err
