"""Real libraries from the index to the candidates."""

from pathlib import Path

import pytest

from apigap.discovery.discover import Discovery, discover
from apigap.discovery.run_time import runtime_surface
from apigap.discovery.versions import check_order
from apigap.packages.environments import EnvironmentStore
from apigap.records.errors import InfrastructureError, UsageError
from apigap.sandbox.engine import Engine


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(cache))


def found(library: str, old: str | None, new: str) -> Discovery:
    with Engine() as engine:
        return discover(library, old, new, engine=engine, store=EnvironmentStore())


@pytest.mark.network
@pytest.mark.sandbox
def test_httpx() -> None:
    discovery = found("httpx", "0.25.2", "0.28.1")
    assert {candidate.api_name for candidate in discovery.candidates} == {
        "httpx.AsyncClient", "httpx.AsyncHTTPTransport", "httpx.Client", "httpx.HTTPTransport",
        "httpx.create_ssl_context", "httpx.delete", "httpx.get", "httpx.head", "httpx.options", "httpx.patch",
        "httpx.post", "httpx.put", "httpx.request", "httpx.stream",
    }  # fmt: skip
    client = next(candidate for candidate in discovery.candidates if candidate.api_name == "httpx.Client")
    taken = {(one.kind, one.old_name, one.parameter) for one in discovery.retired}
    assert {("removed", "httpx.Client", "app"), ("removed", "httpx.get", "proxies")} <= taken
    assert all(kind in ("removed", "deprecated") and parameter for kind, _, parameter in taken)
    assert {(change.what, change.parameter) for change in client.changes} == {
        ("parameter added", "proxy"),
        ("parameter removed", "proxies"),
        ("parameter removed", "app"),
        ("annotation widened", "mounts"),
    }
    assert client.defined_in == "httpx._client"
    assert discovery.failures == ()
    assert discovery.bytes_fetched > 100_000
    again = found("httpx", "0.25.2", "0.28.1")  # now from what is kept
    assert again == discovery.model_copy(update={"seconds": again.seconds, "bytes_fetched": again.bytes_fetched})
    assert again.bytes_fetched == 0


@pytest.mark.network
@pytest.mark.sandbox
def test_flask_whose_sub_package_has_no_init() -> None:
    discovery = found("flask", "3.0.0", "3.1.3")
    assert {candidate.api_name: candidate.change for candidate in discovery.candidates} == {
        "flask.Blueprint.open_resource": "modified",
        "flask.Flask.open_instance_resource": "modified",
        "flask.Flask.open_resource": "modified",
        "flask.Flask.select_jinja_autoescape": "modified",
        "flask.cli.ScriptInfo": "modified",
        "flask.cli.load_dotenv": "modified",
        "flask.sessions.SessionInterface.get_cookie_partitioned": "added",
    }


@pytest.mark.network
@pytest.mark.sandbox
def test_pydantic() -> None:
    candidates = {candidate.api_name: candidate for candidate in found("pydantic", "2.5.2", "2.13.3").candidates}
    for name in (
        "pydantic.FailFast",
        "pydantic.Secret",
        "pydantic.TypeAdapter.rebuild",
        "pydantic.experimental.pipeline.validate_as",
        "pydantic.with_config",
    ):
        assert candidates[name].change == "added", name
    for name, parameter in (
        ("pydantic.BaseModel.model_dump", "fallback"),
        ("pydantic.ConfigDict", "validate_by_name"),
        ("pydantic.Field", "fail_fast"),
        ("pydantic.TypeAdapter.validate_python", "experimental_allow_partial"),
    ):
        assert candidates[name].change == "modified", name
        assert ("parameter added", parameter) in {(c.what, c.parameter) for c in candidates[name].changes}, name
    former = {name for name in candidates if name.startswith("pydantic.v1")}
    assert former == {"pydantic.v1.utils.validate_field_name"}  # it takes any iterable of classes now
    assert not [name for name in candidates if "._" in name]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.28.1", "0.28.1", "the same"),
        ("0.28", "0.28.0", "the same"),
        ("0.28.1", "0.9", "newer than 0.9"),
        ("latest", "0.9", "versions look like"),
    ],
)
def test_versions_that_cannot_be_compared(old: str, new: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_order("httpx", old, new)


@pytest.mark.parametrize("walked", [None, [], {}, {"entries": [{}]}, {"entries": [{"name": 1}], "tops": []}])
def test_an_answer_from_the_sandbox_is_not_taken_on_trust(walked: object) -> None:
    with pytest.raises(InfrastructureError, match="gave no surface"):
        runtime_surface("lib", "1", walked)
