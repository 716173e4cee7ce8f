"""What ncu and compute-sanitizer write is read as meant, and what cannot be matched is refused."""

import json

import pytest

from tests.zoo import measure, metrics, on_gpu, racecheck
from tests.zoo.measure import MeasuringError, matched, to_json
from tests.zoo.on_gpu import MARK, MEMORY_INSTRUCTION

NAME = "tests::zoo::global_walks::copy[abi:v1,cw51](Array<float, (int)1, C, mutable, aligned>)"
RACE = f"""\
========= COMPUTE-SANITIZER
{MARK}planted:one_racy
========= Warning: Race reported between Write access at {NAME}+0x210 in kernels.py:12
=========     and Read access at {NAME}+0x220 in kernels.py:14 [256 hazards]
=========
========= Error: Race reported between Write access at {NAME}+0x210
=========     and Read access at {NAME}+0x220 [1 hazards]
=========
{MARK}planted:one_mended
"""
END = f"{MARK}end\n========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n"


def table(*launches):
    """CSV as ncu writes it: remarks, header, units, a line a launch. launches: (kernel name, value of each metric)."""
    names = metrics.wanted()
    lines = ["==PROF== Connected to process 1", ",".join(f'"{name}"' for name in ("ID", "Kernel Name", *names))]
    lines.append(",".join(['""', '""', *['"inst"'] * len(names)]))
    for number, (kernel, value) in enumerate(launches):
        lines.append(",".join([f'"{number}"', f'"{kernel}"', *[f'"{value}"'] * len(names)]))
    return "\n".join(lines)


def launch(entry, function="copy"):
    return {"entry": entry, "function": function, "instructions": {"LDG.E": 1}}


def test_counters_are_read_with_thousands_and_two_metrics_add_up():
    rows = metrics.rows_of(table((NAME, "1,024")))

    counters = metrics.counters_of(rows[0])

    assert (1024, 2048) == (counters["global_load_sectors"], counters["global_atomic_sectors"])


def test_text_without_a_table_is_refused_with_what_it_says():
    with pytest.raises(ValueError, match="ERR_NVGPUCTRPERM"):
        metrics.rows_of("==ERROR== ERR_NVGPUCTRPERM")


def test_every_launch_is_matched_and_the_second_time_kept_where_it_differs():
    rows = metrics.rows_of(table((NAME, "10"), (NAME, "12")))

    entry = matched(rows, [launch("zoo:copy"), launch("zoo:copy")])["zoo:copy"]

    assert (10, 12) == (entry["counters"]["global_load_sectors"], entry["again"]["global_load_sectors"])
    assert [{"function": "copy", "instructions": {"LDG.E": 1}}] == entry["launches"]


def test_several_launches_of_one_entry_add_up_and_shared_bytes_do_not():
    rows = metrics.rows_of(table(*[(NAME, "10")] * 4))

    entry = matched(rows, [launch("course:two")] * 4)["course:two"]

    assert (20, 20) == (entry["counters"]["global_load_sectors"], entry["counters"]["shared_bytes"])
    assert "again" not in entry


def test_launches_that_do_not_fit_are_refused():
    rows = metrics.rows_of(table((NAME, "10")))

    with pytest.raises(MeasuringError, match="1 launches, numba made 2"):
        matched(rows, [launch("zoo:copy")] * 2)
    with pytest.raises(MeasuringError, match="not other"):
        matched(rows, [launch("zoo:copy", "other")])


@pytest.fixture
def fake_profile(monkeypatch):
    """Lets `measure.write` believe that ncu measured one entry of the zoo; returns what it believes of the machine."""
    head = {"device": "D", "driver": "1", "date": "2026-01-02", "tool": "T", "versions": {}}
    rows = metrics.rows_of(table((NAME, "10"), (NAME, "10")))
    monkeypatch.setattr(measure, "profile", lambda only: (rows, [launch("zoo:copy")] * 2))
    monkeypatch.setattr(measure, "heading", lambda tool: head)
    return head


def golden_file(folder, head):
    (folder / "zoo.json").write_text(to_json({**head, "entries": {"other": {"x": 1}, "copy": {"x": 2}}}))


def test_measuring_some_entries_leaves_the_others_of_a_file(tmp_path, fake_profile):
    golden_file(tmp_path, {**fake_profile, "date": "2026-01-01"})

    measure.write(tmp_path, only="copy")

    document = json.loads((tmp_path / "zoo.json").read_text())
    assert ["other", "copy"] == list(document["entries"])
    assert ({"x": 1}, 10) == (
        document["entries"]["other"],
        document["entries"]["copy"]["counters"]["shared_bytes"] // 2,
    )
    assert "2026-01-02" == document["date"]


def test_one_file_never_tells_of_two_machines(tmp_path, fake_profile):
    golden_file(tmp_path, {**fake_profile, "device": "another"})

    with pytest.raises(MeasuringError, match="another device"):
        measure.write(tmp_path, only="copy")
    measure.write(tmp_path)
    assert ["copy"] == list(json.loads((tmp_path / "zoo.json").read_text())["entries"])


def test_a_golden_file_has_a_line_for_each_entry():
    text = to_json({"device": "D", "entries": {"a": {"x": 1}, "b": {"x": 2}}})

    assert ['    "a": {"x": 1},', '    "b": {"x": 2}'] == [line for line in text.splitlines() if '"x"' in line]


def test_reports_belong_to_the_entry_named_before_them():
    found = racecheck.reports(RACE + END)

    assert ["planted:one_racy", "planted:one_mended"] == list(found)
    assert [("Write", 12), ("Read", 14)] == found["planted:one_racy"][0]["accesses"]
    assert [] == found["planted:one_mended"]


def test_reports_are_condensed_to_pairs_of_lines_from_the_def_on():
    condensed = racecheck.condensed(racecheck.reports(RACE + END)["planted:one_racy"], first_line=10)

    assert {"severity": "Error", "lines": [[], [3, 5]], "hazards": 257} == condensed


def test_a_checker_that_breaks_off_is_refused():
    with pytest.raises(MeasuringError, match="one_mended"):
        racecheck.reports(RACE)


def test_memcheck_s_reports_belong_to_the_entry_named_before_them():
    text = f"""\
========= COMPUTE-SANITIZER
{MARK}course:one
========= Invalid __global__ read of size 4 bytes
=========     at one(Array<float>)+0x210 in one.py:3
=========     by thread (0,0,0) in block (0,0,0)
=========
{MARK}course:two
{MARK}end
========= ERROR SUMMARY: 1 error
"""

    assert {"course:one": ["Invalid __global__ read of size 4 bytes"], "course:two": []} == racecheck.errors(text)
    with pytest.raises(MeasuringError, match="two"):
        racecheck.errors(text.partition(f"{MARK}end")[0])


def test_what_was_checked_elsewhere_joins_the_others_and_replaces_its_own(tmp_path):
    head = {"device": "D", "driver": "1", "date": "2026-01-01", "tool": "T", "versions": {}}
    known = {**head, "checked": {"zoo": ["copy", "old"], "course": ["no.longer.there"]}, "reported": {"zoo:copy": 1}}
    now = {**head, "date": "2026-01-02", "checked": {"zoo": ["copy"]}, "reported": {}}
    (tmp_path / "races.json").write_text(json.dumps(known))

    merged = racecheck.with_others(now, tmp_path / "races.json")

    assert {**now, "checked": {"zoo": ["old", "copy"], "course": []}, "reported": {}} == merged
    with pytest.raises(MeasuringError, match="another device"):
        racecheck.with_others({**now, "device": "E"}, tmp_path / "races.json")


def test_a_replay_is_in_the_log_as_often_as_it_happens_and_a_capture_is_not(monkeypatch):
    for name in ("__init__", "end", "replay"):
        monkeypatch.setattr(on_gpu.DriverGraph, name, lambda *arguments: None)
    log = ["compiles"]

    with on_gpu.noted_replays(log):
        graph = on_gpu.DriverGraph(None)
        log += ["a", "b"]
        graph.end()
        log += ["between"]
        graph.replay()
        graph.replay()

    assert ["compiles", "between", "a", "b", "a", "b"] == log


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/*0210*/ LDG.E R2, desc[UR4][R2.64] ;", "LDG.E"),
        ("/*0220*/ @!P0 LDS.128 R4, [UR4] ;", "LDS.128"),
        ("/*0230*/ ATOMS.POPC.INC.32 RZ, [R0+UR4] ;", "ATOMS.POPC.INC.32"),
        ("/*0240*/ REDUX.SUM UR6, R2 ;", None),
        ("/*0250*/ LDC R1, c[0x0][0x28] ;", None),
    ],
)
def test_memory_instructions_are_told_from_others(line, expected):
    found = MEMORY_INSTRUCTION.search(line)

    assert expected == (found[1] if found else None)


def test_what_was_measured_elsewhere_joins_the_golden_file_of_the_same_device(tmp_path):
    head = {"device": "D", "driver": "1", "date": "2026-01-01", "tool": "ncu", "versions": {}}
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder, name, day in ((here, "old", "2026-01-01"), (elsewhere, "new", "2026-01-02")):
        folder.mkdir()
        for part in ("zoo", "course"):
            (folder / f"{part}.json").write_text(to_json({**head, "date": day, "entries": {name: {"counters": {}}}}))

    measure.merge(elsewhere, here)

    merged = json.loads((here / "course.json").read_text())
    assert (["old", "new"], "2026-01-02") == (list(merged["entries"]), merged["date"])


def test_what_was_measured_on_another_device_does_not_join(tmp_path):
    head = {"driver": "1", "date": "2026-01-01", "tool": "ncu", "versions": {}, "entries": {}}
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder, device in ((here, "D"), (elsewhere, "E")):
        folder.mkdir()
        for part in ("zoo", "course"):
            (folder / f"{part}.json").write_text(to_json({"device": device, **head}))

    with pytest.raises(MeasuringError, match="another device"):
        measure.merge(elsewhere, here)
