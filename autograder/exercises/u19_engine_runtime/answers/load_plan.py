"""Answers to engine_runtime.load_plan."""

import struct
import zlib

import numpy as np

from autograder.exercises.catalogue import right, wrong

FINE, NO_PLAN, CUT, OTHER_VERSION, DAMAGED, OTHER_DEVICE = range(6)


@right("fields_as_an_array")
def load_plan(data, version, device, weights):
    if not np.array_equal(data[:4], np.frombuffer(b"WBPL", np.uint8)):
        return 1
    if data.size < 20:
        return 2
    fields = data[4:20].copy().view("<u4")
    if fields[0] != version:
        return 3
    if data.size - 20 != 4 * int(fields[3]):
        return 2
    if zlib.crc32(data[12:]) != fields[1]:
        return 4
    if fields[2] != device:
        return 5
    weights[:] = data[20:].copy().view("<f4")
    return 0


@right("int_from_bytes")
def load_plan(data, version, device, weights):
    raw = bytes(data)

    def word(at):
        return int.from_bytes(raw[at : at + 4], "little")

    if not raw.startswith(b"WBPL"):
        reason = NO_PLAN
    elif len(raw) < 20:
        reason = CUT
    elif word(4) != version:
        reason = OTHER_VERSION
    elif len(raw) != 20 + 4 * word(16):
        reason = CUT
    elif zlib.crc32(raw[12:]) != word(8):
        reason = DAMAGED
    elif word(12) != device:
        reason = OTHER_DEVICE
    else:
        reason = FINE
        weights[...] = np.frombuffer(raw[20:], np.float32)
    return reason


@right("a_table_of_checks")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return 1
    if len(raw) < 20:
        return 2
    theirs, checksum, made_for, n = struct.unpack_from("<4I", raw, 4)
    checks = [
        (OTHER_VERSION, lambda: theirs == version),
        (CUT, lambda: len(raw) == 20 + 4 * n),
        (DAMAGED, lambda: zlib.crc32(raw[12:]) == checksum),
        (OTHER_DEVICE, lambda: made_for == device),
    ]
    for reason, holds in checks:
        if not holds():
            return reason
    np.copyto(weights, np.frombuffer(raw, np.float32, n, 20))
    return 0


@right("header_all_at_once")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if not raw.startswith(b"WBPL"):
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    _, theirs, checksum, made_for, n_weights = struct.unpack("<4sIIII", raw[:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@right("weights_with_unpack")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = struct.unpack(f"<{n_weights}f", raw[20:])
    return FINE


@right("words_by_shifts")
def load_plan(data, version, device, weights):
    words = []
    for at in range(4, min(len(data), 20) - 3, 4):
        b = [int(x) for x in data[at : at + 4]]
        words.append(b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24)
    if data[:4].tolist() != [87, 66, 80, 76]:
        return NO_PLAN
    if len(words) < 4:
        return CUT
    if words[0] != version:
        return OTHER_VERSION
    if (len(data) - 20) / 4 != words[3]:
        return CUT
    if words[1] != zlib.crc32(data[12:].tobytes()):
        return DAMAGED
    if words[2] != device:
        return OTHER_DEVICE
    for i in range(len(weights)):
        weights[i] = struct.unpack_from("<f", data.tobytes(), 20 + 4 * i)[0]
    return FINE


@wrong("any_letters", misconception="magic_not_asked", says="look at the first four first")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("any_version", misconception="version_not_asked", says="plans of any version are taken")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("older_alone", misconception="newer_taken", says="a newer plan is taken")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs < version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("no_length", misconception="length_not_asked", says="a plan that was cut is called damaged")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("checksum_before_length", misconception="length_not_asked", says="before the checksum")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("longer_is_fine", misconception="longer_taken", says="a file that is too long")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) < 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("no_checksum", misconception="checksum_not_asked", says="work out the checksum again")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("checksum_of_weights", misconception="weights_alone_checked", says="worked out of the weights alone")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[20:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("any_device", misconception="device_not_asked", says="plans for another device are taken")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("newer_devices_will_do", misconception="lesser_device_taken", says="a plan for a lesser device is taken")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for > device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("version_last_but_one", misconception="version_asked_late", says="its version says how the rest is to be read")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("device_before_checksum", misconception="device_asked_early", says="holds once the checksum is right")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if made_for != device:
        return OTHER_DEVICE
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("written_before_the_checksum", misconception="written_too_early", says="of a plan that is refused were written")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else of the header may be believed
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    weights[:] = np.frombuffer(raw[20:], np.float32)
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    return FINE


@wrong("refuses_what_is_no_number", misconception="wrong_formula", says="no numbers")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else in the header can be trusted
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    if np.isnan(np.frombuffer(raw[20:], np.float32)).any():
        return DAMAGED
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE


@wrong("checksum_of_the_first_64_kib", misconception="wrong_formula", says="a long plan")
def load_plan(data, version, device, weights):
    raw = data.tobytes()
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else in the header can be trusted
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12 : 1 << 16]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE
