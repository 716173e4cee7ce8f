"""Timing one unit again leaves what is recorded of the others."""

from benchmarks import bench_gpu

OF_ADDING, OF_SUMMING = "vector_add.vector_add_unrolled", "reductions.warp_sum"


def recorded(date, **times):
    rows = [{"exercise": name.replace("__", "."), "time_us": time_us} for name, time_us in times.items()]
    return {"device": "a GPU", "date": date, "rows": rows}


def test_rows_of_other_units_stay_and_say_when_they_were_measured():
    earlier = recorded("2026-01-01", vector_add__vector_add_unrolled=2.0, reductions__warp_sum=3.0)

    found = bench_gpu.joined(earlier, recorded("2026-02-02", vector_add__vector_add_unrolled=1.0))

    assert "2026-02-02" == found["date"]
    assert [
        {"exercise": OF_ADDING, "time_us": 1.0},
        {"date": "2026-01-01", "exercise": OF_SUMMING, "time_us": 3.0},
    ] == found["rows"]


def test_an_exercise_that_is_gone_leaves_no_row():
    found = bench_gpu.joined(recorded("2026-01-01", gone__gone=1.0), recorded("2026-02-02"))

    assert [] == found["rows"]
