"""An OpenAI-compatible chat endpoint on loopback that answers from a list, for tests of the real client.

`serving(...)` gives a server; each request takes the next answer of its list. What was asked is kept.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One answer: a text, tool calls, or something a client must cope with.

    `tool_calls` are pairs of a name and arguments; arguments that are a text are sent as they stand. `raw` is
    sent instead of JSON. `hold` waits until the server is closed: a reply that never comes. `cut` ends a
    stream in the middle.
    """

    text: str | None = None
    tool_calls: tuple[tuple[str, Mapping[str, Any] | str], ...] = ()
    status: int = 200
    error: str = "refused"
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    hold: bool = False
    cut: bool = False
    tokens: tuple[int, int] = (11, 7)


@dataclass
class OpenAIServer:
    """Where it listens, and what it was asked, in order; `asked` is set by the first request."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(*answers: Answer | str) -> Iterator[OpenAIServer]:
    """A server with these answers; a bare text is an answer with it. A request too many gets a 599."""
    listener = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    state = OpenAIServer(f"http://127.0.0.1:{listener.server_address[1]}/v1")
    state.answers = [Answer(a) if isinstance(a, str) else a for a in answers]
    listener.state = state
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        state.closing.set()
        listener.shutdown()
        listener.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        state: OpenAIServer = self.server.state
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        state.requests.append(body)
        state.headers.append({k.lower(): v for k, v in self.headers.items()})
        state.asked.set()
        answer = state.answers.pop(0) if state.answers else Answer(status=599, error="no answer is left")
        if self.path != "/v1/chat/completions":
            answer = Answer(status=404, error=f"no such path: {self.path}")
        if answer.hold:
            state.closing.wait(30)
            self.close_connection = True
        elif answer.status != 200:
            self._json({"error": {"message": answer.error, "type": "error"}}, answer)
        elif answer.raw is not None:
            self._send(answer.raw, "application/json", answer)
        elif body.get("stream"):
            self._stream(body, answer)
        else:
            self._json(_completion(body, answer), answer)

    def _json(self, data: Mapping[str, Any], answer: Answer) -> None:
        self._send(json.dumps(data).encode(), "application/json", answer)

    def _send(self, body: bytes, kind: str, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, body: Mapping[str, Any], answer: Answer) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in _events(body, answer):
            self._chunk(f"data: {json.dumps(event)}\n\n".encode())
        if not answer.cut:
            self._chunk(b"data: [DONE]\n\n")
            self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def log_message(self, *_: object) -> None:
        """Tests read what was asked, not a log."""


def _completion(body: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.tool_calls:
        message["tool_calls"] = _tool_calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer)}
    return _head(body, "chat.completion") | {"choices": [choice], "usage": _usage(answer)}


def _events(body: Mapping[str, Any], answer: Answer) -> Iterator[dict[str, Any]]:
    head = _head(body, "chat.completion.chunk")

    def event(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        return head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield event({"role": "assistant", "content": ""})
    for word in (answer.text or "").split(" "):
        yield event({"content": word if word == (answer.text or "").split(" ")[0] else f" {word}"})
    if answer.cut:
        return
    for index, call in enumerate(_tool_calls(answer)):
        yield event({"tool_calls": [{"index": index, **call}]})
    yield event({}, _finish(answer))
    if body.get("stream_options", {}).get("include_usage"):
        yield head | {"choices": [], "usage": _usage(answer)}


def _head(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000, "model": body["model"]}


def _tool_calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{i}",
            "type": "function",
            "function": {"name": name, "arguments": args if isinstance(args, str) else json.dumps(args)},
        }
        for i, (name, args) in enumerate(answer.tool_calls, 1)
    ]


def _finish(answer: Answer) -> str:
    return "tool_calls" if answer.tool_calls else "stop"


def _usage(answer: Answer) -> dict[str, int]:
    read, written = answer.tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
