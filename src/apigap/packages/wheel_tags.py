"""Tags of wheels: the kinds of file that each version of Python on this machine can install."""

import functools
import sys

from packaging.tags import Tag, compatible_tags, cpython_tags, platform_tags, sys_tags


@functools.cache
def tags_of(minor: int) -> frozenset[Tag]:
    """The tags of wheels that a CPython 3.`minor` of this machine can install."""
    if minor == sys.version_info.minor:
        return frozenset(sys_tags())
    version, platforms = (3, minor), list(platform_tags())
    found = (*cpython_tags(version, platforms=platforms), *compatible_tags(version, f"cp3{minor}", platforms))
    return frozenset(found)
