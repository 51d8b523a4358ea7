#!/usr/bin/env python3
"""A stand-in for the docker command: it reads docker's options and makes the same container with bubblewrap.

It knows only the commands and options that apigap uses and refuses any other, so a wrong option shows. State lies in
the folder of the variable STATE: images as folders, containers as files with a process id.
"""

import csv
import os
import signal
import sys
import tarfile
from pathlib import Path

STATE = Path(os.environ["STATE"])
FLAGS = {"--rm", "--read-only"}
VALUES = {
    "--name", "--pull", "--log-driver", "--network", "--ipc", "--hostname", "--cap-drop", "--security-opt", "--user",
    "--workdir", "--pids-limit", "--memory", "--memory-swap", "--ulimit", "--shm-size", "--tmpfs", "--mount",
}  # fmt: skip


def main() -> None:
    (STATE / "calls").open("a").write(" ".join(sys.argv[1:])[:20000] + "\n")
    match sys.argv[1:]:
        case ["version"]:
            print("a stand-in")
        case ["image", "inspect", name]:
            sys.exit(not image(name).is_dir())
        case ["import", "-", name]:
            with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
                archive.extractall(image(name), filter="tar")
        case ["rm", "--force", name]:
            os.kill(int((STATE / name).read_text()), signal.SIGKILL)
        case ["run", *rest]:
            run(rest)
        case other:
            sys.exit(f"unknown command {other}")


def image(name: str) -> Path:
    return STATE / name.replace(":", "-")


def run(words: list[str]) -> None:
    options: dict[str, list[str]] = {}
    while words[0].startswith("--"):
        word = words.pop(0)
        if word not in FLAGS | VALUES:
            sys.exit(f"unknown flag: {word}")
        options.setdefault(word, []).append("" if word in FLAGS else words.pop(0))
    name, *command = words
    (STATE / options["--name"][0]).write_text(str(os.getpid()))
    os.execvp("bwrap", [*layout(options, image(name)), "--", *command])


def layout(options: dict[str, list[str]], root: Path) -> list[str]:
    user, _, group = options["--user"][0].partition(":")
    assert options["--network"] == ["none"]
    assert options["--security-opt"] == ["no-new-privileges"]
    words = [
        "bwrap",
        "--unshare-all",
        "--unshare-user",
        "--as-pid-1",
        "--die-with-parent",
        "--uid",
        user,
        "--gid",
        group,
    ]
    words += ["--cap-drop", *options["--cap-drop"], "--hostname", *options["--hostname"]]
    for entry in sorted(root.iterdir()):
        if entry.is_symlink():
            words += ["--symlink", os.readlink(entry), f"/{entry.name}"]
        else:
            words += ["--perms", "0755", "--dir", f"/{entry.name}"]
    for mount in options["--mount"]:
        fields = dict(field.partition("=")[::2] for field in next(csv.reader([mount])))  # pyright: ignore[reportArgumentType, reportCallIssue]
        assert fields["type"] == "bind"  # pyright: ignore[reportArgumentType]
        for parent in reversed(Path(fields["target"]).parents[:-1]):  # pyright: ignore[reportArgumentType]
            words += ["--perms", "0755", "--dir", str(parent)]
        words += ["--ro-bind" if "readonly" in fields else "--bind", fields["source"], fields["target"]]  # pyright: ignore[reportArgumentType]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", *options["--shm-size"], "--perms", "1777"]
    words += ["--tmpfs", "/dev/shm"]
    for value in options["--tmpfs"]:
        path, _, settings = value.partition(":")
        given = dict(setting.partition("=")[::2] for setting in settings.split(","))  # pyright: ignore[reportArgumentType, reportCallIssue]
        words += ["--size", given["size"], "--perms", given["mode"], "--tmpfs", path]  # pyright: ignore[reportArgumentType]
        words += ["--remount-ro", path] if "ro" in given else []
    return [*words, *(["--remount-ro", "/"] if "--read-only" in options else []), "--chdir", *options["--workdir"]]


main()
