"""Where each line of the catalogue of cheats is tried that is no submission in `attacks`, `escapes` or `on_gpu`.

A line of the catalogue is a cheat, or a mistake that passes for right. Most are submissions; some are things that the
judge itself must not do, which have a test beside what does them: file and name of that test.
"""

from __future__ import annotations

_CLASSROOM, _SPEED, _RUNNING = "autograder/classroom", "autograder/speed", "autograder/running"
_TIMING = f"{_CLASSROOM}/sealed/test_timing.py"
_FOUND_OUT = "test_a_kernel_that_is_not_right_while_it_is_timed_is_found_out"
_DECISION, _COMPARE = f"{_SPEED}/test_decision.py", f"{_RUNNING}/test_compare.py"
N_ROWS = 85

TESTED = {
    31: (_TIMING, _FOUND_OUT),  # only the last output is looked at
    32: (_TIMING, _FOUND_OUT),  # honest while it is checked only
    33: (_DECISION, "test_a_clear_case_takes_few_rounds_and_a_close_one_all_of_them"),
    34: (
        f"{_CLASSROOM}/test_recorded_order.py",
        "test_an_answer_about_order_is_judged_as_in_a_notebook",
    ),  # work on a stream that nobody waits for
    43: ("redteam/test_sealed.py", "test_a_forged_reply_of_the_jail_that_compiles_reaches_no_launcher"),
    44: ("redteam/test_sealed.py", "test_a_forged_reply_of_the_jail_that_compiles_reaches_no_launcher"),
    45: (_TIMING, "test_a_right_kernel_is_timed_in_the_same_rounds_as_ours"),
    46: (f"{_SPEED}/test_floors.py", "test_events_that_say_less_than_the_host_s_clock_are_for_review"),
    55: (_COMPARE, "test_nan_never_passes_where_a_number_is_expected"),
    57: (_COMPARE, "test_any_order_of_float32_summation_is_within_the_sum_bound"),
    59: (f"{_CLASSROOM}/test_faults.py", "test_killed_at_every_write_a_run_goes_on"),
    60: (f"{_CLASSROOM}/test_jail.py", "test_an_endless_loop_is_ended_in_time"),
    64: ("redteam/test_sealed.py", "test_row_64_an_absurd_launch_or_copy_is_refused_and_the_launcher_goes_on"),
    66: (f"{_CLASSROOM}/test_jail.py", "test_a_large_request_and_a_large_reply_do_not_wait_for_each_other"),
    72: ("redteam/test_sealed.py", "test_three_thousand_damaged_texts_are_accepted_or_refused_and_nothing_else"),
    75: (f"{_CLASSROOM}/test_nbgrader.py", "test_a_verdict_becomes_the_score_whatever_the_notebook_itself_claims"),
    76: (f"{_CLASSROOM}/test_read.py", "test_two_different_answers_to_one_exercise_are_ambiguous"),
    77: (f"{_CLASSROOM}/test_read.py", "test_grade_ids_that_are_no_text_are_ignored"),
    78: (f"{_CLASSROOM}/test_harmless.py", "test_submitted_text_can_run_nothing_and_load_nothing"),
    79: (f"{_CLASSROOM}/test_pages.py", "test_a_spreadsheet_never_sees_a_formula"),
    80: (f"{_CLASSROOM}/test_receive.py", "test_a_link_is_not_followed_wherever_it_stands"),
    81: (f"{_CLASSROOM}/test_visit.py", "test_a_file_that_one_visit_leaves_is_not_there_in_the_next"),
    83: (f"{_CLASSROOM}/test_jail.py", "test_there_is_no_network"),
    84: ("redteam/test_sealed.py", "test_row_84_code_that_was_changed_after_it_was_recorded_is_not_loaded"),
    85: (f"{_CLASSROOM}/test_faults.py", "test_going_on_keeps_the_seed_and_a_different_one_is_refused"),
}

CATALOGUED = {  # mistakes that pass now and then: the interpreter finds them each time
    51: ("shared_memory.reverse_blocks", "everybody_swaps"),
    52: ("shared_memory.transpose_tiled", "no_barrier"),
}

NOT_HERE = {
    54: "No case of the course has 2**31 elements, and the interpreter's integers are as wide as the GPU's.",
    56: "A contract's arrays are contiguous, and say so; what host code slices is a part of a recorded array.",
}
