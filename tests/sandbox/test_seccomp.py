"""The filter, run step by step as the kernel runs it, on both architectures."""

import errno
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.sandbox.isolation.seccomp import (
    EXAMINED,
    MISSING,
    NAMESPACE_FLAGS,
    OWN_ONLY,
    REFUSED,
    SOCKET_FAMILIES,
    TERMINAL_TRICKS,
    Machine,
    filter_hash,
    filter_program,
)

MACHINES: list[Machine] = ["x86_64", "aarch64"]
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "i386": 0x40000003, "arm": 0x40000028}
ALLOW, KILL = "allow", "kill"


OWN = {name: numbers for name, (numbers, _) in OWN_ONLY.items()}
ALL = {**REFUSED, **MISSING, **OWN, **EXAMINED}


def decide(program: bytes, audit: int, number: int, *arguments: int) -> str:
    """The kernel's answer: `allow`, `kill`, or an error's name."""
    data = struct.pack("<IIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    code = list(struct.iter_unpack("<HBBI", program))
    at = accumulator = 0
    for _ in range(len(code)):  # jumps lead forwards only, so there is an end
        operation, yes, no, value = code[at]
        at += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == 0x06:
            if value & 0xFFFF0000 == 0x00050000:
                return errno.errorcode[value & 0xFFFF]
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}[value]
        else:
            true = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[operation]
            at += yes if true else no
    raise AssertionError("the filter has no end")


def call(machine: Machine, name: str, *arguments: int) -> str:
    numbers = ALL[name]
    number = numbers[MACHINES.index(machine)]
    assert number is not None
    return decide(filter_program(machine), AUDIT[machine], number, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_of_the_list_is_refused(machine: Machine) -> None:
    column = MACHINES.index(machine)
    for name, numbers in REFUSED.items():
        if numbers[column] is not None:
            assert call(machine, name) == "EPERM", name
    for name in MISSING:
        assert call(machine, name) == "ENOSYS", name


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", OWN_ONLY)
@given(process=st.integers(0, 2**32 - 1))
def test_limits_and_priorities_are_only_the_callers_own(machine: Machine, name: str, process: int) -> None:
    *before, own = OWN_ONLY[name][1]
    assert call(machine, name, *before, process) == (ALLOW if process == own else "EPERM")


HIGH = 1 << 32
# (call, its arguments, what the kernel answers)
EXAMPLES = [
    ("clone3", (0,), "ENOSYS"),
    ("clone", (0x11,), ALLOW),
    ("clone", (0x3D0F00,), ALLOW),  # a thread, as the C library makes one
    ("clone", (0x10000000 | 0x11,), "EPERM"),
    ("clone", (0x20000 | 0x11,), "EPERM"),
    ("clone", (0x40000000 | 0x3D0F00,), "EPERM"),
    ("clone", (HIGH | 0x10000000,), "EPERM"),
    ("personality", (0,), ALLOW),
    ("personality", (0xFFFFFFFF,), ALLOW),
    ("personality", (0x0040000,), "EPERM"),  # no address randomisation
    ("personality", (HIGH | 8,), "EPERM"),
    ("ioctl", (0, 0x5401), ALLOW),
    ("ioctl", (0, TERMINAL_TRICKS["TIOCSTI"]), "EPERM"),
    ("ioctl", (0, HIGH | TERMINAL_TRICKS["TIOCSTI"]), "EPERM"),
    ("ioctl", (0, TERMINAL_TRICKS["TIOCLINUX"]), "EPERM"),
    ("ioctl", (TERMINAL_TRICKS["TIOCSTI"], 0x5401), ALLOW),
    ("socket", (1,), ALLOW),
    ("socket", (2,), ALLOW),
    ("socket", (10,), ALLOW),
    ("socket", (16,), ALLOW),
    ("socket", (40,), "EAFNOSUPPORT"),  # the hypervisor
    ("socket", (38,), "EAFNOSUPPORT"),  # the kernel's cryptography
    ("socket", (17,), "EAFNOSUPPORT"),  # raw packets
    ("socketpair", (1,), ALLOW),
    ("socketpair", (30,), "EAFNOSUPPORT"),
    ("prlimit64", (0, 9), ALLOW),
    ("prlimit64", (1, 9), "EPERM"),
    ("prlimit64", (HIGH, 9), ALLOW),  # the kernel reads the low half, which is 0: the caller
    ("setpriority", (0, 0, 19), ALLOW),
    ("setpriority", (0, 2, 19), "EPERM"),
    ("setpriority", (1, 0, 19), "EPERM"),  # a whole process group
    ("setpriority", (2, 0, 19), "EPERM"),  # a whole user
    ("ioprio_set", (1, 0, 0), ALLOW),
    ("ioprio_set", (2, 0, 0), "EPERM"),
    ("sched_setaffinity", (0, 8), ALLOW),
    ("sched_setaffinity", (7, 8), "EPERM"),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "arguments", "answer"), EXAMPLES)
def test_calls_that_are_looked_at(machine: Machine, name: str, arguments: tuple[int, ...], answer: str) -> None:
    assert call(machine, name, *arguments) == answer


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, 2000), arguments=st.lists(st.integers(0, 2**64 - 1), min_size=6, max_size=6))
def test_every_other_call_is_allowed_whatever_its_arguments(
    machine: Machine, number: int, arguments: list[int]
) -> None:
    column = MACHINES.index(machine)
    listed = {numbers[column] for numbers in ALL.values()}
    if number not in listed:
        assert decide(filter_program(machine), AUDIT[machine], number, *arguments) == ALLOW


@given(machine=st.sampled_from(MACHINES), audit=st.integers(0, 2**32 - 1), number=st.integers(0, 2**32 - 1))
def test_calls_of_another_architecture_kill(machine: Machine, audit: int, number: int) -> None:
    if audit != AUDIT[machine]:
        assert decide(filter_program(machine), audit, number) == KILL


@given(number=st.integers(0x40000000, 2**32 - 1))
def test_x32_calls_kill(number: int) -> None:
    assert decide(filter_program("x86_64"), AUDIT["x86_64"], number) == KILL


@given(flags=st.integers(0, 2**32 - 1))
def test_clone_is_refused_exactly_for_namespaces(flags: int) -> None:
    assert call("x86_64", "clone", flags) == ("EPERM" if flags & NAMESPACE_FLAGS else ALLOW)


@given(family=st.integers(0, 100))
def test_sockets_are_refused_exactly_outside_the_list(family: int) -> None:
    assert call("aarch64", "socket", family) == (ALLOW if family in SOCKET_FAMILIES.values() else "EAFNOSUPPORT")


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernels_headers(machine: Machine) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[machine].read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", text)}
    ours = {name: numbers[MACHINES.index(machine)] for name, numbers in ALL.items()}
    for name, number in ours.items():
        if name in known:
            assert number == known[name], name
    assert len(set(ours) & set(known)) > 50


def test_the_filter_fits_and_has_a_name() -> None:
    for machine in MACHINES:
        program = filter_program(machine)
        assert len(program) % 8 == 0
        assert len(program) // 8 < 4096
        assert re.fullmatch("[0-9a-f]{12}", filter_hash(program))
    assert filter_program("x86_64") != filter_program("aarch64")
