"""The pages of a class, for this machine alone and for looking only."""

import http.client
import threading
from urllib.parse import urlsplit

import pytest

from autograder.classroom.pages import serve
from autograder.cli import main
from tests.patience import PATIENCE_S


@pytest.fixture
def served(tmp_path):
    """A folder with a page of each kind, and what must stay unseen; (ask, key)."""
    out = tmp_path / "out"
    for name in (
        "gradebook.html",
        "feedback/ada/01.html",
        "similarity/000.html",
        "verdicts/ada/01/01.json",
        "ledger.db",
    ):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(name)
    (tmp_path / "secret.html").write_text("secret")
    (out / "feedback" / "link.html").symlink_to(tmp_path / "secret.html")
    (out / "feedback" / "linked").symlink_to(tmp_path, target_is_directory=True)
    (out / "verdicts" / "page.html").write_text("no")
    with serve.serving(out) as (server, address):
        threading.Thread(
            target=server.serve_forever, args=[0.02], daemon=True
        ).start()  # looks so often whether it should end
        where = urlsplit(address)

        def ask(path: str, method: str = "GET", host: str = ""):
            connection = http.client.HTTPConnection(where.hostname, where.port, timeout=PATIENCE_S)
            connection.request(method, path, headers={"Host": host or where.netloc})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()

        yield ask, where.path.split("/")[1]
        server.shutdown()


@pytest.mark.parametrize("name", ["gradebook.html", "feedback/ada/01.html", "similarity/000.html"])
def test_pages_are_shown_to_whoever_has_the_address(served, name):
    ask, key = served

    assert (200, name) == ask(f"/{key}/{name}")
    assert 404 == ask(f"/{name}")[0]
    assert 404 == ask(f"/wrong/{name}")[0]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "feedback/",
        "ledger.db",
        "verdicts/ada/01/01.json",
        "verdicts/page.html",
        "feedback/link.html",
        "feedback/linked/secret.html",
        "../secret.html",
        "feedback/../../secret.html",
        "%2e%2e/secret.html",
        "feedback/%2e%2e/%2e%2e/secret.html",
        "feedback%2f..%2f..%2fsecret.html",
        "nothing.html",
        "feedback/%00",
        f"feedback/{'x' * 300}.html",
        f"feedback/{'x/' * 3000}.html",
        "%ff.html",
    ],
)
def test_nothing_else_is(served, path):
    ask, key = served
    assert 404 == ask(f"/{key}/{path}")[0]


def test_another_name_for_this_machine_is_refused_so_that_no_page_elsewhere_can_ask(served):
    ask, key = served

    assert 404 == ask(f"/{key}/gradebook.html", host="evil.example:80")[0]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_is_taken(served, method):
    ask, key = served

    assert 501 == ask(f"/{key}/gradebook.html", method)[0]


def test_a_folder_without_a_gradebook_says_what_to_pass(tmp_path, capsys):
    assert 2 == main(["serve", "--out", str(tmp_path)])
    assert "warpbook grade" in capsys.readouterr().err
