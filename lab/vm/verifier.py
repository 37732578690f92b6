#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What this kernel's verifier says of the balancer: verifier.py OBJECT.

Loads it with libbpf, as the agent does, with each choice of constants (struct constants in l4lb.h) that says something of
its own, and prints a line for each: the choice, the verdict, how many instructions the verifier went through. Exit status
1 if one is refused. Nothing is attached; what was loaded is gone with this process.
"""
import ctypes
import os
import re
import struct
import sys
import time

FEATURES = (  # struct constants, field by field: name, format, its value when it is on
    ("echo_replies", "B", 1), ("too_big_answers", "B", 1), ("fib", "B", 1), ("chain", "B", 1),
    ("mss_clamp", "H", 1400), ("source4_bits", "B", 16), ("source6_bits", "B", 16), ("new_flows", "I", 1000),
    ("opening_timeout", "I", 60), ("established_timeout", "I", 3600), ("closing_timeout", "I", 60),
    ("other_timeout", "I", 60), ("fragment_timeout", "I", 30),
)
SECTION = b".rodata.constants"
STATISTICS, STEPS = 4, 1  # BPF_LOG_STATS, BPF_LOG_LEVEL1
LOG_BYTES = 16 << 20
PROCESSED = re.compile(rb"processed (\d+) insns")

bpf = ctypes.CDLL("libbpf.so.1", use_errno=True)
_POINTER = ctypes.c_void_p
for _name, _result, *_arguments in (
    ("bpf_object__open_file", _POINTER, ctypes.c_char_p, _POINTER),
    ("bpf_object__load", ctypes.c_int, _POINTER),
    ("bpf_object__close", None, _POINTER),
    ("bpf_object__next_map", _POINTER, _POINTER, _POINTER),
    ("bpf_object__find_map_by_name", _POINTER, _POINTER, ctypes.c_char_p),
    ("bpf_object__next_program", _POINTER, _POINTER, _POINTER),
    ("bpf_map__name", ctypes.c_char_p, _POINTER),
    ("bpf_map__initial_value", _POINTER, _POINTER, ctypes.POINTER(ctypes.c_size_t)),
    ("bpf_map__set_max_entries", ctypes.c_int, _POINTER, ctypes.c_uint32),
    ("bpf_program__set_log_level", ctypes.c_int, _POINTER, ctypes.c_uint32),
    ("bpf_program__set_log_buf", ctypes.c_int, _POINTER, ctypes.c_char_p, ctypes.c_size_t),
):
    getattr(bpf, _name).restype = _result
    getattr(bpf, _name).argtypes = _arguments
_WARNINGS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_char_p, _POINTER)
_silence = _WARNINGS(lambda *_: 0)  # what libbpf would say is in the log that is asked for
bpf.libbpf_set_print(_silence)


def choices():
    """Name → names of the features that are on."""
    names = [name for name, _, _ in FEATURES]
    yield "all on", set(names)
    yield "all off", set()
    for name in names[:5]:
        yield f"only {name}", {name}
        yield f"all but {name}", set(names) - {name}


def constants(features):
    values = [value if name in features else 0 for name, _, value in FEATURES]
    return struct.pack("=" + "".join(code for _, code, _ in FEATURES), *values)


def load(path, value, log_level):
    """Whether it was accepted, and the verifier's log."""
    log = ctypes.create_string_buffer(LOG_BYTES)
    loaded = bpf.bpf_object__open_file(path.encode(), None)
    if not loaded:
        sys.exit(f"verifier: {path}: {os.strerror(ctypes.get_errno())}")
    try:
        _set_constants(loaded, path, value)
        flows = bpf.bpf_object__find_map_by_name(loaded, b"flows")
        bpf.bpf_map__set_max_entries(flows, 1024)  # their number is nothing to the verifier, and memory to the kernel
        program = bpf.bpf_object__next_program(loaded, None)
        bpf.bpf_program__set_log_level(program, log_level)
        bpf.bpf_program__set_log_buf(program, log, LOG_BYTES)
        return bpf.bpf_object__load(loaded) == 0, log.value
    finally:
        bpf.bpf_object__close(loaded)


def _set_constants(loaded, path, value):
    section = bpf.bpf_object__next_map(loaded, None)
    while section and bpf.bpf_map__name(section) != SECTION:
        section = bpf.bpf_object__next_map(loaded, section)
    size = ctypes.c_size_t()
    where = section and bpf.bpf_map__initial_value(section, ctypes.byref(size))
    if not where or size.value != len(value):
        sys.exit(f"verifier: {path}: no {SECTION.decode()} of {len(value)} bytes, but of {size.value}")
    ctypes.memmove(where, value, len(value))


def main(path):
    print(f"Linux {os.uname().release}, {path}", flush=True)
    refused = 0
    for name, features in choices():
        start = time.monotonic()
        accepted, log = load(path, constants(features), STATISTICS)
        found = PROCESSED.search(log)
        if accepted and found:
            took = time.monotonic() - start
            print(f"ok   {name}: accepted after {int(found[1]):,} instructions, {took:.2f} s", flush=True)
            continue
        refused += 1
        why = load(path, constants(features), STEPS)[1].decode(errors="replace").splitlines()[-12:]
        print(f"FAIL {name}: " + ("no figure in the log" if accepted else "refused") + "".join(f"\n    {line}" for line in why), flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
