"""The system-call filter of a sandbox: a classic BPF program that the kernel asks before every system call.

It refuses what no library under test has a use for and what attacks on kernels and neighbours begin with. Honest
programs meet an ordinary error (EPERM), as they would without the right to do it. Everything else is allowed: the
namespaces, the missing capabilities and landlock are the walls, this is the one that keeps attacks away from them.

The kernel remembers, per call number, that a call is always allowed, so the length of the list costs nothing.
"""

import errno
import hashlib
import platform
import struct
import sys
from collections.abc import Sequence
from typing import Literal

Machine = Literal["x86_64", "aarch64"]

REFUSED: dict[str, tuple[int | None, int | None]] = {
    # Into the memory, descriptors and registers of other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # Large interfaces into the kernel, where its holes have been found.
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "fanotify_init": (300, 262),
    # Keys belong to a user, not to a namespace.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # Another kernel, or another part of this one.
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "create_module": (174, None), "reboot": (169, 142),
    # Another file system, or a file without its path.
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    "open_by_handle_at": (304, 265), "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "acct": (163, 89), "nfsservctl": (180, 42),
    # Further namespaces; `clone` is looked at below.
    "unshare": (272, 97), "setns": (308, 268),
    # The clock, the name and the log of the whole machine.
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116), "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    # Ports, segments and leftovers of x86.
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    "_sysctl": (156, None),
}  # fmt: skip
"""System calls that end in EPERM, with their numbers on x86_64 and on aarch64 (None: there is none)."""

MISSING: dict[str, tuple[int, int]] = {
    # Memory that belongs to no process's address space, and so to no limit but a control group's.
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    # Objects that outlive the program in the namespace that it shares with the next one.
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "mq_unlink": (241, 181),
    # Other processes' memory, by advice.
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
}  # fmt: skip
"""System calls that end in ENOSYS, as on a kernel that does not have them: callers then take another way."""

OWN_ONLY: dict[str, tuple[tuple[int, int], tuple[int, ...]]] = {
    "prlimit64": ((302, 261), (0,)), "setpriority": ((141, 140), (0, 0)), "sched_setaffinity": ((203, 122), (0,)),
    "sched_setscheduler": ((144, 119), (0,)), "sched_setparam": ((142, 118), (0,)),
    "sched_setattr": ((314, 274), (0,)), "ioprio_set": ((251, 30), (1, 0)), "migrate_pages": ((256, 238), (0,)),
    "move_pages": ((279, 239), (0,)),
}  # fmt: skip
"""System calls that may change other processes of the same user: allowed only where the first arguments have these
values, which mean the caller itself; EPERM otherwise."""

EXAMINED: dict[str, tuple[int, int]] = {
    "clone": (56, 220), "clone3": (435, 435), "personality": (135, 92), "ioctl": (16, 29), "socket": (41, 198),
    "socketpair": (53, 199),
}  # fmt: skip
"""System calls that are allowed or refused by one of their arguments."""

NAMESPACE_FLAGS = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
TERMINAL_TRICKS = {"TIOCSTI": 0x5412, "TIOCLINUX": 0x541C, "TIOCCONS": 0x541D, "TIOCSETD": 0x5423}
"""Requests that type into a terminal, redirect the console, or load a line discipline."""
SOCKET_FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
"""The only families of sockets. A network namespace does not hold AF_VSOCK, which reaches the hypervisor."""
PERSONALITIES = (0, 0xFFFF_FFFF)
"""The ordinary personality, and the question which one is in force."""

_ARCHITECTURES: dict[Machine, int] = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_X32 = 0x4000_0000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_KILL, _REFUSE, _ALLOW = 0x8000_0000, 0x0005_0000, 0x7FFF_0000
_NUMBER, _ARCHITECTURE = 0, 4

_Instruction = tuple[int, int, int, int]


def machine_here() -> Machine | None:
    """The architecture of this interpreter where there is a filter for it, else None."""
    if sys.maxsize < 1 << 32 or sys.byteorder != "little":
        return None
    found: dict[str, Machine] = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
    return found.get(platform.machine().lower())


def filter_program(machine: Machine) -> bytes:
    """The filter as an array of `struct sock_filter`, as bubblewrap's `--seccomp` and the kernel take it."""
    column = ("x86_64", "aarch64").index(machine)
    examined = {name: numbers[column] for name, numbers in EXAMINED.items()}
    code = _own_architecture(machine)
    for numbers in REFUSED.values():
        number = numbers[column]
        if number is not None:
            code += _when(number, [_answer(errno.EPERM)])
    for numbers in MISSING.values():
        code += _when(numbers[column], [_answer(errno.ENOSYS)])
    for numbers, own in OWN_ONLY.values():
        code += _when(numbers[column], _all_equal(own, errno.EPERM))
    # The arguments of clone3 lie in memory, where a filter cannot look: without it the C library takes clone.
    code += _when(examined["clone3"], [_answer(errno.ENOSYS)])
    code += _when(examined["clone"], _refuse_bits(0, NAMESPACE_FLAGS, errno.EPERM))
    code += _when(examined["personality"], _only(0, PERSONALITIES, errno.EPERM))
    code += _when(examined["ioctl"], _none_of(1, list(TERMINAL_TRICKS.values()), errno.EPERM))
    code += _when(examined["socket"], _only(0, list(SOCKET_FAMILIES.values()), errno.EAFNOSUPPORT))
    code += _when(examined["socketpair"], _only(0, [SOCKET_FAMILIES["AF_UNIX"]], errno.EAFNOSUPPORT))
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def filter_here() -> bytes | None:
    """The filter for this interpreter; None where there is none for its architecture."""
    machine = machine_here()
    return filter_program(machine) if machine else None


def filter_hash(program: bytes) -> str:
    """Twelve hex digits that name a filter."""
    return hashlib.sha256(program).hexdigest()[:12]


def _own_architecture(machine: Machine) -> list[_Instruction]:
    """Kill what calls by another architecture's numbers, then load the call's number.

    An i386 or x32 call has other numbers for the same thing, so no list would hold for it.
    """
    code = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, _ARCHITECTURES[machine]), (_RETURN, 0, 0, _KILL)]
    code.append((_LOAD, 0, 0, _NUMBER))
    if machine == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    return code


def _when(number: int, then: Sequence[_Instruction]) -> list[_Instruction]:
    """`then`, which must end with a return on every way, for one call number; any other number jumps over it."""
    return [(_EQUAL, 0, len(then), number), *then]


def _only(argument: int, values: Sequence[int], error: int) -> list[_Instruction]:
    """Allow the call when the argument is one of the values."""
    return [*_compare(argument, values), _answer(error), (_RETURN, 0, 0, _ALLOW)]


def _all_equal(values: Sequence[int], error: int) -> list[_Instruction]:
    """Allow the call when each of its first arguments has its value."""
    code: list[_Instruction] = []
    for argument, value in enumerate(values):
        code += [_load_argument(argument), (_EQUAL, 1, 0, value), _answer(error)]
    return [*code, (_RETURN, 0, 0, _ALLOW)]


def _none_of(argument: int, values: Sequence[int], error: int) -> list[_Instruction]:
    """Refuse the call when the argument is one of the values."""
    return [*_compare(argument, values), (_RETURN, 0, 0, _ALLOW), _answer(error)]


def _refuse_bits(argument: int, bits: int, error: int) -> list[_Instruction]:
    """Refuse the call when the argument has any of the bits."""
    return [_load_argument(argument), (_ANY_BIT, 0, 1, bits), _answer(error), (_RETURN, 0, 0, _ALLOW)]


def _compare(argument: int, values: Sequence[int]) -> list[_Instruction]:
    """Go on after the next instruction when the argument is one of the values, else with it."""
    left = len(values)
    return [_load_argument(argument), *((_EQUAL, left - at, 0, value) for at, value in enumerate(values))]


def _load_argument(index: int) -> _Instruction:
    """The low half of an argument: the kernel reads the arguments that are looked at here as 32-bit numbers too."""
    return (_LOAD, 0, 0, 16 + 8 * index)


def _answer(error: int) -> _Instruction:
    return (_RETURN, 0, 0, _REFUSE | error)
