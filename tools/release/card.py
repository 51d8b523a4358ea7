"""The data card of the starter benchmark, as Croissant 1.0 (JSON-LD): `python -m tools.release.card` writes it.

It names every file of the dated editions with its sha256, and each field of a task. `mlcroissant validate` checks it,
and `mlcroissant load --record_set 2026.11/click` reads tasks by it.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from apigap.tasks.starter_files import STARTER, editions, starter_files
from apigap.version import __version__

ROOT = Path(__file__).parents[2]
CARD = ROOT / "starter" / "croissant.json"
_CONTEXT = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
    "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty", "fileSet": "cr:fileSet", "format": "cr:format",
    "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
    "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
"""The words of Croissant, as its specification gives them."""
_ABOUT = (
    "Executable Python tasks written by hand on APIs that releases really brought or changed, in editions. A model "
    "answers with code; it is judged by what that does in a sandbox, in several scenarios that it has not seen."
)
_RESPONSIBLE = {
    "rai:dataCollection": "Tasks, scenarios and references were written by hand from release notes and documentation; "
    "expected values are what the reference gives in the release.",
    "rai:dataUseCases": "Measuring what a model knows of APIs that are younger than it. Not for training: a model that "
    "has seen the tasks cannot be measured by them.",
    "rai:dataLimitations": "Python libraries alone, those whose wheels install on Linux; descriptions in English; an "
    "API may have been described in public before its release.",
    "rai:personalSensitiveInformation": "None: names and values in tasks are made up.",
}
_FIELDS = {
    "task_id": "The id: a hash of what the task is.",
    "api_name": "The API that the task is about, by its public name.",
    "library": "The library, by its name on the package index.",
    "version": "The release in which answers are judged.",
    "old_version": "The release that it is compared with.",
    "domain": "The field of the library.",
    "change": "Whether the API was added or modified between the two.",
    "difficulty": "easy, medium or hard, by what must be known.",
    "description": "The task in words, as a model is given it.",
    "context_code": "Python code that has run before the answer.",
    "masked_region": "The reference answer: what goes on from the context.",
    "reference_solution": "Context and reference answer together.",
}


def card() -> dict[str, Any]:
    """The card as JSON."""
    files = [path for name in editions() if name[:1].isdigit() for path in starter_files(name)]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "apigap-starter",
        "description": _ABOUT,
        "license": "https://spdx.org/licenses/Apache-2.0",
        "url": "urn:apigap:starter",
        "version": __version__,
        "datePublished": "2026-11-27",
        "creator": {"@type": "sc:Organization", "name": "The apigap contributors"},
        "inLanguage": "en",
        "isLiveDataset": False,
        "citeAs": f"The apigap contributors. apigap {__version__}, the starter benchmark. 2026.",
        **_RESPONSIBLE,
        "distribution": [_file(path) for path in files],
        "recordSet": [_records(path) for path in files],
    }


def _file(path: Path) -> dict[str, Any]:
    name = path.relative_to(STARTER).as_posix()
    data = path.read_bytes()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": f"Tasks on {path.stem}.",
        "contentSize": f"{len(data)} B",
        "contentUrl": f"../src/apigap/starter/{name}",
        "encodingFormat": "application/jsonlines",
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _records(path: Path) -> dict[str, Any]:
    name = path.relative_to(STARTER).with_suffix("").as_posix()
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"The tasks on {path.stem} of the edition {path.parent.name}.",
        "key": {"@id": f"{name}/task_id"},
        "field": [_field(name, field, told) for field, told in _FIELDS.items()],
    }


def _field(records: str, name: str, told: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{name}",
        "name": name,
        "description": told,
        "dataType": "sc:Text",
        "source": {"fileObject": {"@id": f"{records}.jsonl"}, "extract": {"column": name}},
    }


def card_text() -> str:
    """The card as it is kept."""
    return json.dumps(card(), indent=1) + "\n"


if __name__ == "__main__":
    CARD.write_text(card_text(), encoding="utf-8")
    print(CARD)
