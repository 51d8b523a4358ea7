"""Facts about the models of providers, from the tables that Inspect keeps of them and without its import."""

import functools
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, cast

from apigap.models.spending.prices import plain_name


class ProviderFacts(NamedTuple):
    """The day of a model's release, and the tokens of its window and of its longest answer, where told.

    It cannot have seen anything after its release; what providers say of its knowledge ends earlier, and says less: of
    some models it is the day up to which their knowledge can be relied on. Of a name that stands for several versions
    it is the release of the last one.
    """

    released: date | None
    window: int | None
    most: int | None


def facts_of(model: str) -> ProviderFacts | None:
    """The facts about `model`, by the last part of its name, with a date or without one; None if it is in no table."""
    table = _table()
    return table.get(model.rpartition("/")[2].lower()) or table.get(plain_name(model))


@functools.cache
def _table() -> dict[str, ProviderFacts]:
    found: dict[str, ProviderFacts] = {}
    for path in _files():
        for organisation in _object(_read(path)).values():
            for name, told in _object(_object(organisation).get("models")).items():
                fields = _object(told)
                versions = {version: _object(own) for version, own in _object(fields.get("versions")).items()}
                found[name.lower()] = _facts(fields, *versions.values())
                for version, own in versions.items():
                    found[version.lower()] = _facts({**fields, **own}, *(() if own.get("release_date") else [fields]))
    return found


def _files() -> list[Path]:
    spec = find_spec("inspect_ai")
    roots = (spec.submodule_search_locations if spec else None) or ()
    return [path for root in roots for path in sorted(Path(root, "model", "_model_data").glob("*.yml"))]


def _read(path: Path) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text("utf-8"), loader)  # noqa: S506  one of the two safe ones


def _facts(fields: dict[str, Any], *versions: dict[str, Any]) -> ProviderFacts:
    window, most = fields.get("context_length"), fields.get("output_tokens")
    days = [day for one in (fields, *versions) if isinstance(day := one.get("release_date"), date)]
    return ProviderFacts(
        max(days, default=None),
        window if isinstance(window, int) else None,
        most if isinstance(most, int) else None,
    )


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
