"""Look at a class's pages in a browser: a server for this machine alone, which shows files and takes nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

HOST = "127.0.0.1"  # nobody else's: pages hold names and points
SHOWN = {"gradebook.html", "similarity.html"}  # of the folder itself
BELOW = {"feedback", "similarity"}


class Pages(SimpleHTTPRequestHandler):
    """Gives out pages of one folder to whoever has the key, which is in the address that is printed."""

    def __init__(self, *arguments, key: str, **named):
        self.key = key
        super().__init__(*arguments, **named)

    def send_head(self):
        """Refuse all but pages (no verdicts, no ledger, no listing), and who asks under another name or has no key."""
        parts = unquote(urlsplit(self.path).path).strip("/").split("/")
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        if host not in (HOST, "localhost") or parts[:1] != [self.key] or not self._is_page(parts[1:]):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        self.path = "/" + "/".join(urlsplit(self.path).path.strip("/").split("/")[1:])
        return super().send_head()

    def _is_page(self, parts: list[str]) -> bool:
        path = Path(self.directory, *parts)
        if ".." in parts or path.suffix != ".html" or not _is_file(path):
            return False
        if path.resolve() != Path(self.directory).resolve().joinpath(*parts):  # a link on the way
            return False
        return parts[0] in SHOWN if len(parts) == 1 else parts[0] in BELOW

    def end_headers(self):
        """What a browser is to keep of it: nothing."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        super().end_headers()

    def log_message(self, *_arguments):
        """Say nothing of each request."""


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[tuple[ThreadingHTTPServer, str]]:
    """A server of the pages in a folder, and the address of its gradebook. port: 0 for any free. Raises: OSError."""
    key = secrets.token_urlsafe(12)
    handler = partial(Pages, key=key, directory=str(folder))
    with ThreadingHTTPServer((HOST, port), handler) as server:
        yield server, f"http://{HOST}:{server.server_port}/{key}/gradebook.html"
