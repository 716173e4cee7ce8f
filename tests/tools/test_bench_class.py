"""The class that a benchmark invents: every answer is its own, and many GPUs share the work as they would."""

from autograder import exercises
from benchmarks import bench_class, invented_class


def test_no_two_students_of_the_benchmark_hand_in_the_same_answer():
    tasks = invented_class.tasks_of("01_vector_add", 3)

    assert len({task.key for task in tasks}) == len(tasks) > 12
    assert {task.exercise for task in tasks} <= {each.id for each in exercises.units()["01_vector_add"]}


def test_simulated_gpus_take_the_next_answer_as_they_are_free():
    assert 10.0 == bench_class.makespan([1.0] * 10, 1)
    assert 5.0 == bench_class.makespan([1.0] * 10, 2)
    assert 4.0 == bench_class.makespan([4.0, 1.0, 1.0, 1.0], 2)
