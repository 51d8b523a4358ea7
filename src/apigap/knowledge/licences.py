"""The licence of a library, by the metadata of its wheel: it decides if source may leave the user's machine."""

import re
from email.parser import HeaderParser
from functools import lru_cache
from pathlib import Path

from apigap.discovery.distribution import metadata_folders
from apigap.discovery.library import find_library
from apigap.records.knowledge import Licence

_COPYLEFT = re.compile(r"\b(?:A|L)?GPL|GNU|MPL|Mozilla|EUPL|CeCILL|EPL|Eclipse|CDDL|copyleft|OSL|SSPL|CC-BY-SA", re.I)
_PERMISSIVE = re.compile(
    r"\b(?:MIT|BSD|0BSD|Apache|ISC|Zlib|PSF|Python Software Foundation|Unlicense|CC0|HPND|BSL|Boost)\b", re.I
)
_LONGEST = 200


@lru_cache(maxsize=64)
def licence_of(library: str, site_packages: Path) -> Licence:
    """The licence of a library that is installed in `site_packages`; `unknown` where nothing clear is written.

    The SPDX expression counts before the classifiers, and these before the free text. Of alternatives (OR) the
    permissive one may be taken; of several that all hold (AND) each has to be permissive.
    """
    for info in metadata_folders(find_library(library).distribution, site_packages):
        return read_licence((info / "METADATA").read_text("utf-8", "replace"), f"{info.name}/METADATA")
    return Licence(kind="unknown", text="", where="")


def read_licence(metadata: str, where: str) -> Licence:
    """The licence that the text of a METADATA file tells."""
    headers = HeaderParser().parsestr(metadata)
    expression = headers.get("License-Expression")
    classifiers = [c.rpartition(" :: ")[2] for c in headers.get_all("Classifier", []) if c.startswith("License ::")]
    written = expression or ", ".join(classifiers) or (headers.get("License") or "").strip().partition("\n")[0]
    text = " ".join(str(written).split())[:_LONGEST]
    if expression:
        alternatives = [re.split(r"\bAND\b|\bWITH\b", part) for part in re.split(r"\bOR\b", text)]
    else:
        alternatives = [text.split(", ")]
    kinds = [_kind(parts) for parts in alternatives]
    kind = next((kind for kind in ("permissive", "copyleft") if kind in kinds), "unknown")
    return Licence.model_validate({"kind": kind, "text": text, "where": where})


def _kind(parts: list[str]) -> str:
    if any(_COPYLEFT.search(part) for part in parts):
        return "copyleft"
    return "permissive" if parts and all(_PERMISSIVE.search(part) for part in parts) else "unknown"
