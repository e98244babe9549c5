"""The pages: a ledger is dropped, its reading is looked at, questions are answered, verdicts and files come back."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from .guard import Guard
from .jobs import BusyError, Job, Jobs, Limits

#: How often a page that waits is told what the process does, in seconds.
_TICK = 0.3
_STATIC = {"app.css": "text/css", "app.js": "text/javascript"}
#: What is downloaded, in words.
FILES = {
    "report.html": "the report, as one HTML file",
    "letter.txt": "a sentence for a letter, for each claim",
    "ledger.json": "the ledger as privref read it, with your answers",
    "audit.json": "all of the audit, for programs",
}
ANSWERS = {
    "parameters": ("fixed-in-advance", "chosen-adaptively", ""),
    "neighbours": ("replace-one", "add-or-remove-one", "zero-out", ""),
    "interaction": ("concurrent", "sequential"),
}
_RUN = ("noise multiplier", "sampling rate", "batch size", "records", "steps", "epochs", "sampling")
#: The report brings its own style and script, and runs apart from the app's pages, as if of another site.
_REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; frame-ancestors 'none'"
)
_MOST_CHARACTERS = 200


class Pages:
    """The routes of one server and the jobs behind them."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.jobs = limits, Jobs(limits)
        self._templates = Environment(
            loader=PackageLoader("privref.app"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip

        self._templates.filters["sentence"] = lambda text: (
            f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.?' else '.'}"
        )

    def page(self, name: str, status: int = 200, **values: Any) -> HTMLResponse:
        return HTMLResponse(self._templates.get_template(name).render(values), status)

    def start(self, request: Request) -> Response:
        return self._start()

    def _start(self, errors: list[str] | None = None, given: Mapping[str, str] | None = None) -> Response:
        kept = [job for job in self.jobs if job.state != "new"]
        most = self.limits.upload_bytes // 2**20
        return self.page(
            "start.html", 422 if errors else 200, errors=errors or [], given=given or {}, most=most, kept=kept
        )

    async def upload(self, request: Request) -> Response:
        async with request.form(max_files=1, max_fields=self.limits.fields) as form:
            file = form.get("ledger")
            if not isinstance(file, UploadFile) or not file.filename:
                return self._start(["Choose a file first: a sheet (CSV, XLSX) or a ledger (JSON)."])
            job = self.jobs.new(file.filename)
            data = await file.read()
            await run_in_threadpool((job.folder / "in" / job.name).write_bytes, data)
        return self._begin(job, "read", {})

    async def run(self, request: Request) -> Response:
        given = await self._form(request)
        run = {name: given.get(name.replace(" ", "_"), "") for name in _RUN}
        job = self.jobs.new("training-run.json")
        job.given = {"delta": given.get("delta", "")}
        return self._begin(job, "read", {"run": run})

    async def audit(self, request: Request) -> Response:
        job = self._job(request)
        given = await self._form(request)
        errors = []
        declared = {}
        if job.understood.get("is_sheet"):
            for name, known in ANSWERS.items():
                if given.get(name) not in known:
                    errors.append(_QUESTION_LEFT[name])
                declared[name] = given.get(name) or None
        claims = [{"epsilon": given.get("epsilon", ""), "delta": given.get("delta", "")}]
        for line in given.get("more", "").splitlines():
            if line.strip():
                # A comma without a space behind it may be a decimal comma: it ends no number.
                parts = [part for part in re.split(r",?\s+|;", line.strip()) if part]
                if len(parts) != 2 or any(part.strip(",") != part for part in parts):
                    errors.append(
                        f"“{line.strip()[:60]}”: write epsilon and delta of each further claim with a space between, "
                        "as in 1, 10^-6."
                    )
                    continue
                claims.append({"epsilon": parts[0], "delta": parts[1]})
        if not claims[0]["delta"]:
            errors.append("At which δ? Write delta; it is 0 where there is none. Only ε may be left empty.")
        if len(claims) > self.limits.claims:
            errors.append(f"At most {self.limits.claims} claims are audited at once.")
        if job.works or job.state in ("new", "reading") or not job.understood:
            return RedirectResponse(f"/jobs/{job.id}", 303)
        job.given = given
        if errors:
            return self._read(job, errors)
        return self._begin(job, "audit", {"declared": declared, "claims": claims})

    def show(self, request: Request) -> Response:
        job = self._job(request)
        job.touch()
        if job.works:
            return self.page("working.html", job=job)
        if job.state == "done" and "change" not in request.query_params:
            return self.page("verdicts.html", job=job, files=self._files(job))
        if job.state in ("refused", "stopped") and not job.understood:
            return self.page("refused.html", 422, job=job)
        return self._read(job, job.refusals or ([job.why] if job.why else []))

    def _read(self, job: Job, errors: list[str]) -> Response:
        return self.page("read.html", 422 if errors else 200, job=job, errors=errors)

    def _files(self, job: Job) -> list[tuple[str, str]]:
        places = {name: place for place, name in enumerate(FILES)}
        # Certificates stand between the letter and the ledger.
        names = sorted(job.answer["files"], key=lambda name: places.get(name, places["letter.txt"] + 0.5))
        ids = {f"{opinion['id']}.certificate.json": opinion["says"] for opinion in job.answer["opinions"]}
        return [(name, FILES.get(name) or f"the certificate of {ids[name]}, for privref verify") for name in names]

    async def events(self, request: Request) -> Response:
        job = self._job(request)

        async def lines() -> AsyncIterator[str]:
            while True:
                job.touch()
                yield f"data: {json.dumps({'state': job.state, 'step': job.step, 'seconds': job.seconds})}\n\n"
                if not job.works:
                    return
                await asyncio.sleep(_TICK)

        return StreamingResponse(lines(), media_type="text/event-stream")

    async def stop(self, request: Request) -> Response:
        job = self._job(request)
        job.stop.set()
        return RedirectResponse(f"/jobs/{job.id}", 303)

    async def remove(self, request: Request) -> Response:
        self.jobs.remove(self._job(request))
        return RedirectResponse("/", 303)

    def file(self, request: Request) -> Response:
        job, name = self._job(request), request.path_params["name"]
        path = job.file(name)
        if path is None:
            raise HTTPException(404)
        return FileResponse(path, filename=name, content_disposition_type="attachment")

    def report(self, request: Request) -> Response:
        path = self._job(request).file("report.html")
        if path is None:
            raise HTTPException(404)
        return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": _REPORT_POLICY})

    def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _STATIC:
            raise HTTPException(404)
        return Response(files("privref.app").joinpath("static", name).read_bytes(), media_type=_STATIC[name])

    def failed(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        words = {404: "There is no such page; an audit that was removed has none either."}
        detail = error.detail if isinstance(error, HTTPException) else ""
        return self.page("error.html", status, words=words.get(status, detail))

    def busy(self, request: Request, error: Exception) -> Response:
        words = "As many audits work as may at once. Wait for one of them, or stop it, and send the form again."
        return self.page("error.html", 429, words=words)

    async def _form(self, request: Request) -> dict[str, str]:
        form: FormData
        async with request.form(max_files=0, max_fields=self.limits.fields) as form:
            limits = {"more": 50 * self.limits.claims}
            given = {}
            for name, value in form.multi_items():
                text = str(value).strip()
                if len(text) > limits.get(name, _MOST_CHARACTERS):
                    raise HTTPException(413, f"The field {name[:40]} is too long.")
                given[name] = text
            return given

    def _begin(self, job: Job, kind: Any, task: dict[str, Any]) -> Response:
        try:
            self.jobs.start(job, kind, task)
        except BusyError:
            if job.state == "new":
                self.jobs.remove(job)
            raise
        return RedirectResponse(f"/jobs/{job.id}", 303)

    def _job(self, request: Request) -> Job:
        job = self.jobs.get(request.path_params["id"])
        if job is None:
            raise HTTPException(404)
        return job


_QUESTION_LEFT = {
    "parameters": "Were all privacy parameters fixed before the first release? Choose an answer.",
    "neighbours": "Which change of the data does the guarantee hide? Choose an answer.",
    "interaction": "How were the releases ordered? Choose an answer.",
}


def application(*, port: int, token: str, limits: Limits | None = None) -> Starlette:
    """Return the app of one server, which answers at its port to whom has the token."""
    limits = limits or Limits()
    pages = Pages(limits)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(pages.jobs.close)

    app = Starlette(
        routes=[
            Route("/", pages.start),
            Route("/ledger", pages.upload, methods=["POST"]),
            Route("/run", pages.run, methods=["POST"]),
            Route("/static/{name}", pages.static),
            Route("/jobs/{id}", pages.show),
            Route("/jobs/{id}/events", pages.events),
            Route("/jobs/{id}/audit", pages.audit, methods=["POST"]),
            Route("/jobs/{id}/stop", pages.stop, methods=["POST"]),
            Route("/jobs/{id}/remove", pages.remove, methods=["POST"]),
            Route("/jobs/{id}/report", pages.report),
            Route("/jobs/{id}/files/{name}", pages.file),
        ],
        middleware=[Middleware(Guard, port=port, token=token, limits=limits)],
        exception_handlers={HTTPException: pages.failed, BusyError: pages.busy},
        lifespan=lifespan,
    )
    app.state.jobs = pages.jobs
    return app
