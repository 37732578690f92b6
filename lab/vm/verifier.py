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
import sys
import time
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint32, c_void_p

SECTION, STRUCTURE = b".rodata.constants", b"constants"
CODE = ("echo_replies", "too_big_answers", "fib", "chain", "mss_clamp", "jiffy")  # what adds or takes away code, one by one
ON = {  # where 1 would be a strange value
    "mss_clamp": 1400, "source4_bits": 16, "source6_bits": 16, "new_flows": 1000, "jiffy": 4_000_000,
    "opening_timeout": 60, "established_timeout": 3600, "closing_timeout": 60, "other_timeout": 60, "fragment_timeout": 30,
}
STATISTICS, STEPS = 4, 1  # BPF_LOG_STATS, BPF_LOG_LEVEL1
LOG_BYTES = 16 << 20
LAST_WORDS = 12  # lines of the log
PROCESSED = re.compile(rb"processed (\d+) insns")
KIND_STRUCT = 4  # BTF_KIND_STRUCT

bpf = ctypes.CDLL("libbpf.so.1", use_errno=True)
for _name, _result, *_arguments in (
    ("bpf_object__open_file", c_void_p, c_char_p, c_void_p),
    ("bpf_object__load", c_int, c_void_p),
    ("bpf_object__close", None, c_void_p),
    ("bpf_object__btf", c_void_p, c_void_p),
    ("bpf_object__next_map", c_void_p, c_void_p, c_void_p),
    ("bpf_object__find_map_by_name", c_void_p, c_void_p, c_char_p),
    ("bpf_object__next_program", c_void_p, c_void_p, c_void_p),
    ("bpf_map__name", c_char_p, c_void_p),
    ("bpf_map__initial_value", c_void_p, c_void_p, POINTER(c_size_t)),
    ("bpf_map__set_max_entries", c_int, c_void_p, c_uint32),
    ("bpf_program__set_log_level", c_int, c_void_p, c_uint32),
    ("bpf_program__set_log_buf", c_int, c_void_p, c_char_p, c_size_t),
    ("btf__find_by_name_kind", c_int, c_void_p, c_char_p, c_uint32),
    ("btf__type_by_id", POINTER(c_uint32), c_void_p, c_uint32),
    ("btf__name_by_offset", c_char_p, c_void_p, c_uint32),
    ("btf__resolve_size", ctypes.c_int64, c_void_p, c_uint32),
):
    getattr(bpf, _name).restype = _result
    getattr(bpf, _name).argtypes = _arguments
_silent = ctypes.CFUNCTYPE(c_int, c_int, c_char_p, c_void_p)(lambda *_: 0)
bpf.libbpf_set_print(_silent)  # what libbpf would say is in the log that is asked for


class Object:
    """An opened object file. Use as `with Object(path) as o`."""

    def __init__(self, path):
        self._path = path
        self._object = bpf.bpf_object__open_file(path.encode(), None)
        if not self._object:
            sys.exit(f"verifier: {path}: {os.strerror(ctypes.get_errno())}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        bpf.bpf_object__close(self._object)

    def fields(self):
        """Of struct constants: name → (offset, size), in bytes."""
        btf = bpf.bpf_object__btf(self._object)
        structure = bpf.btf__type_by_id(btf, bpf.btf__find_by_name_kind(btf, STRUCTURE, KIND_STRUCT))
        found = {}
        for i in range(structure[1] & 0xFFFF):  # struct btf_type is three words, each struct btf_member another three
            name, kind, bits = structure[3 + 3 * i : 6 + 3 * i]
            found[bpf.btf__name_by_offset(btf, name).decode()] = (bits // 8, bpf.btf__resolve_size(btf, kind))
        return found

    def set_constants(self, values):
        section = bpf.bpf_object__next_map(self._object, None)
        while section and bpf.bpf_map__name(section) != SECTION:
            section = bpf.bpf_object__next_map(self._object, section)
        size = c_size_t()
        where = section and bpf.bpf_map__initial_value(section, ctypes.byref(size))
        if not where:
            sys.exit(f"verifier: {self._path}: no {SECTION.decode()}")
        ctypes.memset(where, 0, size.value)
        for name, (offset, length) in self.fields().items():
            ctypes.memmove(where + offset, values.get(name, 0).to_bytes(length, sys.byteorder), length)

    def load(self, log_level):
        """Whether the verifier accepts it, and its log."""
        log = ctypes.create_string_buffer(LOG_BYTES)
        # The number of flows is nothing to the verifier, and much memory to the kernel.
        bpf.bpf_map__set_max_entries(bpf.bpf_object__find_map_by_name(self._object, b"flows"), 1024)
        program = bpf.bpf_object__next_program(self._object, None)
        bpf.bpf_program__set_log_level(program, log_level)
        bpf.bpf_program__set_log_buf(program, log, LOG_BYTES)
        return bpf.bpf_object__load(self._object) == 0, log.value


def choices(fields):
    """Name → the constants that are not zero."""
    every = {name: ON.get(name, 1) for name in fields}
    yield "all on", every
    yield "all off", {}
    for name in CODE:
        yield f"only {name}", {name: every[name]}
        yield f"all but {name}", {other: value for other, value in every.items() if other != name}


def load(path, values, log_level):
    with Object(path) as opened:
        opened.set_constants(values)
        return opened.load(log_level)


def main(path):
    print(f"Linux {os.uname().release}, {path}", flush=True)
    refused = 0
    with Object(path) as opened:
        fields = opened.fields()
    for name, values in choices(fields):
        start = time.monotonic()
        accepted, log = load(path, values, STATISTICS)
        took = time.monotonic() - start
        found = PROCESSED.search(log)
        if accepted and found:
            print(f"ok   {name}: accepted after {int(found[1]):,} instructions, {took:.2f} s", flush=True)
            continue
        refused += 1
        print(f"FAIL {name}: " + ("no figure in the log" if accepted else "refused"), flush=True)
        for line in load(path, values, STEPS)[1].decode(errors="replace").splitlines()[-LAST_WORDS:]:
            print(f"    {line}", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
