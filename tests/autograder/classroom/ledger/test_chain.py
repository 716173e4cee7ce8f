"""The ledger keeps what it was given, in order, and shows when somebody changed it."""

import resource
import sqlite3

import pytest

from autograder.classroom.ledger.chain import START, Chain, LedgerError
from autograder.classroom.ledger.lock import InUse, only_one


@pytest.fixture
def path(tmp_path):
    with Chain(tmp_path / "ledger.db") as chain:
        for n in range(3):
            chain.append("note", {"n": n})
    return tmp_path / "ledger.db"


def test_each_record_follows_from_the_one_before(path):
    with Chain(path, read_only=True) as chain:
        records = list(chain.records())

    assert [0, 1, 2] == [record.body["n"] for record in records]
    assert [START, records[0].hash, records[1].hash] == [record.previous for record in records]


@pytest.mark.parametrize(
    "deed",
    [
        "UPDATE records SET body = '{\"n\": 9}' WHERE n = 2",
        "UPDATE records SET kind = 'verdict' WHERE n = 3",
        "DELETE FROM records WHERE n = 2",
    ],
)
def test_a_record_cannot_be_changed_and_if_it_is_that_shows(path, deed):
    file = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append only"):
        file.execute(deed)
    file.execute("DROP TRIGGER never_changed")
    file.execute("DROP TRIGGER never_removed")
    file.execute(deed)
    file.commit()

    with pytest.raises(LedgerError, match="does not follow from the one before"):
        Chain(path)


def test_a_file_that_is_no_ledger_is_told_as_such(tmp_path):
    (tmp_path / "ledger.db").write_bytes(b"not a database, and long enough to be read as one" * 100)

    with pytest.raises(LedgerError, match="cannot be opened"):
        Chain(tmp_path / "ledger.db")
    with pytest.raises(LedgerError, match="no ledger"):
        Chain(tmp_path / "elsewhere.db", read_only=True)


def test_on_a_full_disk_a_record_is_refused_in_words_and_nothing_is_lost(path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Chain(path) as chain:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 8192, hard))
        try:
            with pytest.raises(LedgerError, match="Make room"):
                chain.append("note", {"long": "x" * 100_000})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        chain.append("note", {"n": 3})

    with Chain(path) as chain:
        assert [0, 1, 2, 3] == [record.body["n"] for record in chain.records()]


def test_two_runs_on_one_folder_are_one_too_many(tmp_path):
    with only_one(tmp_path):
        with pytest.raises(InUse, match="is grading into"), only_one(tmp_path):
            pass
    with only_one(tmp_path):
        pass
