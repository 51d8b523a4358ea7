"""From tasks to a model that is asked like any other: folders, names, cells, and what must be refused."""

import json
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.edit import Edit  # noqa: E402
from apigap.adaptation.examples import sft_examples  # noqa: E402
from apigap.adaptation.inspect_provider import open_adapted  # noqa: E402
from apigap.adaptation.loading import Loaded, load  # noqa: E402
from apigap.adaptation.measure_run import MEASURES, Pool, measure_adapted, prompt_sets  # noqa: E402
from apigap.adaptation.methods import save_weights  # noqa: E402
from apigap.adaptation.run import Adaptation, adapt  # noqa: E402
from apigap.adaptation.settings import Method, settings_for  # noqa: E402
from apigap.adaptation.splits import split  # noqa: E402
from apigap.experiments.experiment import Experiment, Plan  # noqa: E402
from apigap.experiments.grid import parse_cells  # noqa: E402
from apigap.models.adapted import (  # noqa: E402
    AdaptedModel,
    Measure,
    folder_of,
    in_process_backend,
    read_adapted,
    weights_hash,
)
from apigap.models.generate import Generator  # noqa: E402
from apigap.models.request import Decoding, GenerationRequest  # noqa: E402
from apigap.records.configuration import load_settings  # noqa: E402
from apigap.records.errors import InfrastructureError, ModelUnavailable, UsageError  # noqa: E402
from apigap.records.manifest import read_manifest  # noqa: E402
from apigap.records.progress import Advance  # noqa: E402
from apigap.records.store import load_records  # noqa: E402
from apigap.tasks.task_choice import spread  # noqa: E402
from tests.adaptation.test_examples import BUNDLES, TASKS  # noqa: E402
from tests.adaptation.tiny import tiny_model  # noqa: E402
from tests.silent import Silent  # noqa: E402

SETTINGS = load_settings(overrides=["generation.max_tokens=12", "retrieval.embedder=lexical"])
FEW = sorted(TASKS, key=lambda task: (len(task.context_code + task.description + task.masked_region), task.task_id))[:3]


def adaptation(method: Method, model: Path, folder: Path, *given: str, condition: str = "baseline") -> Adaptation:
    quick = {
        "sft": ["epochs=1", "rank=2", "max_length=4096"], "raft": ["epochs=1", "rank=2", "max_length=4096"],
        "memit": ["steps=2", "tokens=300", "contexts=0"],
        "alphaedit": ["steps=2", "tokens=300", "contexts=0", "threshold=10"],
        "grace": ["steps=2", "max_length=4096"],
    }[method]  # fmt: skip
    settings = settings_for(method, "cpu", [*quick, *given])
    return Adaptation(method, str(model), "few", condition, FEW, BUNDLES, settings, folder)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))


CASES: list[tuple[Method, tuple[str, ...], str, str]] = [
    ("sft", (), "baseline", "edit.safetensors"),
    ("sft", ("full=true",), "baseline", "model"),
    ("raft", (), "s_name", "edit.safetensors"),
    ("memit", ("subject=api",), "s_name", "edit.safetensors"),
    ("alphaedit", (), "baseline", "edit.safetensors"),
    ("alphaedit", ("lora=true", "tuning.epochs=1", "tuning.max_length=4096"), "baseline", "edit.safetensors"),
    ("grace", (), "baseline", "codebook.safetensors"),
]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("method", "given", "condition", "artefact"), CASES, ids=["-".join(c[:1] + c[1]) for c in CASES]
)
def test_every_method_leaves_a_model_that_answers(
    method: Method, given: tuple[str, ...], condition: str, artefact: str, saved: Path, tmp_path: Path
) -> None:
    wanted = adaptation(method, saved, tmp_path / "out", *given, condition=condition)
    found = adapt(wanted, SETTINGS.generation, tmp_path / "data", Silent())
    assert (found.method, found.artefact, found.model) == (method, artefact, "transformers/{}")
    assert read_adapted(tmp_path / "out") == found
    drawn = ".42" if method == "raft" else ""  # the seed, where it decides what is taught
    lines = (tmp_path / "data" / "sft" / "few" / f"{method}.{condition}{drawn}.jsonl").read_text().splitlines()
    assert [json.loads(line)["messages"][-1]["role"] for line in lines] == ["assistant"] * len(FEW)
    cost = json.loads((tmp_path / "out" / "cost.json").read_text())
    assert cost.items() <= read_manifest(tmp_path / "out" / "manifest.json").counts.items()
    assert cost["peak_mib"] > 0
    assert cost["examples"] == len(FEW)
    assert ("values_sought" in cost) == ("layers" in found.settings and "lora=true" not in given)
    assert (found.base_sha256, found.libraries) == (weights_hash(str(saved)), tuple(sorted({t.library for t in FEW})))
    if artefact == "edit.safetensors" and method in ("memit", "alphaedit"):
        assert {"text", "content", "layers"} <= Edit.load(tmp_path / "out" / artefact).origin.keys()
    assert not list((tmp_path / "out").glob(".*"))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    assert adapt(wanted, SETTINGS.generation, tmp_path / "data", Silent()) == found  # complete: nothing is done again
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == before
    name = found.name_in(tmp_path / "out")
    assert folder_of(name) == tmp_path / "out"
    with Generator(name, Decoding(max_tokens=8), cache=False) as generator:
        (answer,) = generator.answer(GenerationRequest(key="a", prompt="Say something."))
        (again,) = generator.answer(GenerationRequest(key="a", prompt="Say something."))
    assert (answer.text, answer.output_tokens) == (again.text, again.output_tokens)
    assert 0 < answer.output_tokens <= 8


@pytest.mark.usefixtures("cache")
def test_the_base_itself_is_asked_by_its_folder(saved: Path) -> None:
    """And as transformers writes it: greedy, stopped at a text, empty beyond the window."""
    with Generator(f"transformers/{saved}", Decoding(max_tokens=6), cache=False) as generator:
        (answer,) = generator.answer(GenerationRequest(key="a", prompt="Hello"))
        (long,) = generator.answer(GenerationRequest(key="b", prompt="x" * 5000))
        described = generator.describe()
    assert (long.text, long.stop_reason) == ("", "context")
    loaded = load(str(saved))
    ids = loaded.tokenizer("<user>Hello<end><assistant>", return_tensors="pt", add_special_tokens=False)["input_ids"]
    model: Any = loaded.model
    new = model.generate(input_ids=ids, max_new_tokens=6, do_sample=False, pad_token_id=0)[0, ids.shape[1] :]
    assert answer.text == loaded.tokenizer.decode(new, skip_special_tokens=True)
    assert described["backend"]["engine"] == "transformers"
    first = answer.text[:3]
    with Generator(f"transformers/{saved}", Decoding(max_tokens=6, stop=(first,)), cache=False) as generator:
        assert generator.answer(GenerationRequest(key="a", prompt="Hello"))[0].text == ""


@pytest.mark.usefixtures("cache")
def test_tuned_cells_ask_the_tuned_weights(saved: Path, tmp_path: Path) -> None:
    root, name = tmp_path / "data", f"transformers/{saved}"
    cells = parse_cells(["baseline", "rag.s_name", "sft.s_name", "sft.s", "rag_sft.s_name"])
    plan = Plan("e", "few", name, FEW, list(BUNDLES.values()), cells)
    notes = Silent()
    assert set(Experiment(plan, SETTINGS, root, notes).skipped) == {"sft.s_name", "sft.s", "rag_sft.s_name"}
    base = adaptation("sft", saved, tmp_path / "unused", "learning_rate=0.05", "epochs=20", condition="s_name")
    study = Experiment(plan, SETTINGS, root, notes)
    folder = study.folder(plan.cells[0]).parents[2] / "sft" / "few"
    from apigap.records.layout import Layout

    target = Layout(root, name).adapted("few", "sft", "s_name")
    assert folder in target.parents
    adapt(Adaptation(**{**base.__dict__, "model": name, "folder": target}), SETTINGS.generation, root, notes)
    study = Experiment(plan, SETTINGS, root, notes)
    assert set(study.skipped) == {"sft.s"}
    study.generate()
    found = {cell.name: (study.folder(cell) / "predictions.jsonl").read_text().splitlines() for cell in study.cells}
    for untaught, taught in (("baseline", "sft.s_name"), ("rag.s_name", "rag_sft.s_name")):
        plain, tuned = (list(map(json.loads, found[cell])) for cell in (untaught, taught))
        assert [row["prompt"] for row in plain] == [row["prompt"] for row in tuned]
        assert [row["samples"] for row in plain] != [row["samples"] for row in tuned]
        manifest = json.loads((root / "results" / "e" / taught / "predictions.manifest.json").read_text())
        assert manifest["made_from"]["model"]["backend"]["method"] == "sft"
    shown = [[json.loads(line)["prompt"] for line in found[cell]] for cell in ("sft.s_name", "rag_sft.s_name")]
    assert shown[0] != shown[1]  # nothing, and what was found


@pytest.mark.usefixtures("cache")
def test_measures_tell_what_was_taught_from_the_rest(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    wanted = adaptation("grace", saved, folder, "steps=60", "radius=0.001", "layer=2")
    adapt(wanted, SETTINGS.generation, tmp_path / "data", Silent())
    found = {m.kind: m for m in measure_adapted(folder, Pool(TASKS[:12], BUNDLES, 3), SETTINGS.generation, Silent())}
    assert {"taught", "rephrased", "known"} <= set(found)
    assert found["taught"].prompts == 3
    assert found["taught"].likelihood > found["taught"].base_likelihood + 1
    assert found["known"].divergence < 1e-6
    assert found["known"].agreement == 1.0
    assert load_records(folder / MEASURES, Measure) == list(found.values())
    with pytest.raises(UsageError, match="no adapted model"):
        measure_adapted(tmp_path, Pool(TASKS[:2], BUNDLES), SETTINGS.generation, Silent())


@pytest.mark.usefixtures("cache")
def test_what_is_not_measured_is_told(saved: Path, tmp_path: Path) -> None:
    adapt(adaptation("grace", saved, tmp_path / "out"), SETTINGS.generation, tmp_path / "data", Silent())
    notes = Silent()
    others = [task for task in TASKS if task.library not in {one.library for one in FEW}][:2]
    found = measure_adapted(tmp_path / "out", Pool(others, BUNDLES), SETTINGS.generation, notes)
    assert [m.kind for m in found] == ["taught", "new_library", "known"]
    assert notes.notes == ["not measured, since the tasks given have none of that kind: rephrased, same_api, new_api"]


@pytest.mark.usefixtures("cache")
def test_alphaedit_after_memit_tells_that_its_values_were_known(saved: Path, tmp_path: Path) -> None:
    for method, figures in (("memit", (len(FEW), 0)), ("alphaedit", (0, len(FEW)))):
        folder = tmp_path / method
        adapt(adaptation(method, saved, folder), SETTINGS.generation, tmp_path / "data", Silent())  # pyright: ignore[reportArgumentType]
        counts = read_manifest(folder / "manifest.json").counts
        assert (counts["values_sought"], counts["values_reused"]) == figures


@pytest.mark.usefixtures("cache")
def test_other_text_of_the_same_name_is_another_adaptation(saved: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Some words of ordinary text, as many as it takes. " * 20)
    plain = adaptation("memit", saved, tmp_path / "out").__dict__
    wanted = Adaptation(**{**plain, "texts": (text,)})
    adapt(wanted, SETTINGS.generation, tmp_path, Silent())
    made_from = read_manifest(tmp_path / "out" / "manifest.json").made_from
    assert made_from["texts"] == ["text.txt"]
    assert made_from["texts_content"] == Edit.load(tmp_path / "out" / "edit.safetensors").origin["content"]
    text.write_text("Others. " * 20)
    with pytest.raises(UsageError, match="was made with texts_content = "):
        adapt(wanted, SETTINGS.generation, tmp_path, Silent())


def test_another_adaptation_in_the_same_folder_is_refused(saved: Path, tmp_path: Path) -> None:
    adapt(adaptation("sft", saved, tmp_path / "out"), SETTINGS.generation, tmp_path, Silent())
    with pytest.raises(UsageError, match="choose another folder with --data or --out"):
        adapt(adaptation("sft", saved, tmp_path / "out", "seed=1"), SETTINGS.generation, tmp_path, Silent())


def test_a_base_is_known_by_its_weights(saved: Path, tmp_path: Path) -> None:
    adapt(adaptation("sft", saved, tmp_path / "out"), SETTINGS.generation, tmp_path, Silent())
    known = weights_hash(f"transformers/{saved}")
    assert known is not None
    assert read_manifest(tmp_path / "out" / "manifest.json").made_from["sha256"] == known
    assert in_process_backend(f"transformers/{saved}")["sha256"] == known
    assert weights_hash("a name/on the hub") is None
    tiny_model("llama", seed=1).save_pretrained(saved)
    assert weights_hash(str(saved)) != known
    with pytest.raises(UsageError, match="was made with sha256 = "):
        adapt(adaptation("sft", saved, tmp_path / "out"), SETTINGS.generation, tmp_path, Silent())


@pytest.mark.usefixtures("cache")
def test_what_was_taught_goes_on_no_other_base(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    found = adapt(adaptation("sft", saved, folder), SETTINGS.generation, tmp_path, Silent())
    adapt(adaptation("sft", saved, tmp_path / "whole", "full=true"), SETTINGS.generation, tmp_path, Silent())
    tiny_model("llama", seed=1).save_pretrained(saved)
    told = f"{saved} is no longer what was adapted: .* {found.base_sha256}, now they are {weights_hash(str(saved))}"
    with ExitStack() as stack, pytest.raises(ModelUnavailable, match=told):
        open_adapted(str(folder), stack)
    for taught in (folder, tmp_path / "whole"):  # that has a model of its own, but is compared with the base
        with pytest.raises(ModelUnavailable, match="is no longer what was adapted"):
            measure_adapted(taught, Pool(FEW, BUNDLES), SETTINGS.generation, Silent())
    with ExitStack() as stack:
        open_adapted(str(tmp_path / "whole"), stack)
        before = {name: value for name, value in found.model_dump().items() if name not in ("base_sha256", "libraries")}
        (folder / "adapted.json").write_text(json.dumps(before))  # as it was written before
        open_adapted(str(folder), stack)


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("method", "given", "told"),
    [
        ("grace", (), "adapt its base with --model"),
        ("sft", ("full=true",), r"adapt its weights with --model \S+/out/model, or"),
    ],
)
def test_an_adapted_model_is_no_base(
    method: Method, given: tuple[str, ...], told: str, saved: Path, tmp_path: Path
) -> None:
    adapt(adaptation(method, saved, tmp_path / "out", *given), SETTINGS.generation, tmp_path, Silent())
    for name in (str(tmp_path / "out"), f"transformers/{tmp_path / 'out'}"):
        wanted = Adaptation(**{**adaptation("sft", saved, tmp_path / "other").__dict__, "model": name})
        with pytest.raises(UsageError, match=told):
            adapt(wanted, SETTINGS.generation, tmp_path, Silent())


class Ended(Silent):
    """Progress that ends the run at a step."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def step(self, title: str) -> Advance:
        def advance(done: int, total: int) -> None:
            if done == self.at:
                raise KeyboardInterrupt

        return advance


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("method", ["memit", "alphaedit", "grace", "sft"])
def test_an_adaptation_that_was_ended_goes_on_and_counts_both_parts(
    method: Method, saved: Path, tmp_path: Path
) -> None:
    given = ("accumulation=1", "save_steps=1") if method == "sft" else ()
    whole = adapt(adaptation(method, saved, tmp_path / "whole", *given), SETTINGS.generation, tmp_path, Silent())
    wanted = adaptation(method, saved, tmp_path / "parts", *given)
    with pytest.raises(KeyboardInterrupt):
        adapt(wanted, SETTINGS.generation, tmp_path, Ended(2))
    kept = tmp_path / "parts" / "cost.json"
    before = json.loads(kept.read_text())
    kept.write_text(json.dumps({**before, "seconds": before["seconds"] + 5000, "peak_mib": 10**9}))
    found = adapt(wanted, SETTINGS.generation, tmp_path, Silent())
    assert (found.sha256 == whole.sha256) or method == "sft"  # there the checkpoint's numbers are nearly the same
    cost = json.loads(kept.read_text())
    assert (before["sessions"], cost["sessions"], cost["peak_mib"]) == (1, 2, 10**9)
    assert 5000 <= cost["seconds"] < 5600
    assert (tmp_path / "parts" / "log.jsonl").read_text() == (tmp_path / "whole" / "log.jsonl").read_text()
    assert {path.name for path in kept.parent.iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("method", ["memit", "grace", "sft"])
def test_a_disk_that_is_full_at_the_end_costs_nothing_of_what_was_learnt(
    method: Method, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> str:
        raise InfrastructureError("no space left")

    wanted = adaptation(method, saved, tmp_path / "out")
    with monkeypatch.context() as patched, pytest.raises(InfrastructureError):
        patched.setattr("apigap.adaptation.run._serve", full)
        adapt(wanted, SETTINGS.generation, tmp_path, Silent())
    log = (tmp_path / "out" / "log.jsonl").read_text()
    monkeypatch.setattr("apigap.adaptation.editing.forward_pass.CachedPrefix.loss", full)
    adapt(wanted, SETTINGS.generation, tmp_path, Ended(1) if method == "sft" else Silent())
    assert (tmp_path / "out" / "log.jsonl").read_text() == log
    assert not {"checkpoints", "partial.safetensors"} & {path.name for path in (tmp_path / "out").iterdir()}


@pytest.mark.usefixtures("cache")
def test_weights_that_are_tuned_whole_move_and_are_kept_only_as_numbers(saved: Path, tmp_path: Path) -> None:
    settings = settings_for("sft", "published", ["full=true", "epochs=2", "max_length=4096"])
    quick = adaptation("sft", saved, tmp_path / "out")
    adapt(Adaptation(**{**quick.__dict__, "settings": settings}), SETTINGS.generation, tmp_path, Silent())
    base, tuned = load(str(saved)).model, load(str(tmp_path / "out" / "model")).model
    name = "model.layers.1.mlp.down_proj.weight"
    moved = tuned.get_parameter(name) != base.get_parameter(name)
    assert tuned.get_parameter(name).dtype == torch.float32
    assert moved.float().mean() > 0.9
    with torch.no_grad():
        base.get_parameter(name)[0, 0] = float("inf")
    with pytest.raises(UsageError, match=f"the weight of {name} has values that are no numbers"):
        save_weights(Loaded(base, None, None), tmp_path / "bad")
    assert not (tmp_path / "bad").exists()


def described(*libraries: str) -> AdaptedModel:
    return AdaptedModel(
        method="sft", base="b", group="g", condition="baseline", settings={}, data="", artefact="", sha256="",
        model="{}", libraries=libraries,
    )  # fmt: skip


def test_few_prompts_are_spread_over_libraries() -> None:
    taught = sft_examples(TASKS[:40], BUNDLES, "baseline", SETTINGS.generation)
    adapted = described()
    libraries = {task.task_id: task.library for task in TASKS}
    asked = {
        one.kind: one.examples for one in prompt_sets(adapted, taught, Pool(TASKS, BUNDLES, 3), SETTINGS.generation)
    }
    for kind, some in (("taught", TASKS[:40]), ("new_library", TASKS[40:])):
        apart = {task.library for task in some} - ({t.library for t in TASKS[:40]} if kind == "new_library" else set())
        assert len({libraries[example.task_id] for example in asked[kind]}) == min(3, len(apart)) > 1
    assert [e.task_id for e in asked["taught"]] == [task.task_id for task in spread(TASKS[:40])[:3]]
    assert {e.task_id for e in asked["rephrased"]} == {e.task_id for e in asked["taught"]}


@pytest.mark.parametrize("kept", [True, False], ids=["libraries kept", "folder of before"])
@pytest.mark.parametrize("known", [True, False], ids=["bundles", "names alone"])
def test_what_was_taught_is_known_where_its_tasks_are_not_given(kept: bool, known: bool) -> None:
    own = split(TASKS, 1)
    taught = sft_examples(own.train, BUNDLES, "baseline", SETTINGS.generation)
    adapted = described(*({task.library for task in own.train} if kept else ()))
    bundles = BUNDLES if known else {}
    for kind in ("same_api", "new_api", "new_library"):
        tasks = getattr(own, kind)
        found = {
            one.kind: one.examples for one in prompt_sets(adapted, taught, Pool(tasks, bundles), SETTINGS.generation)
        }
        assert {name: len(some) for name, some in found.items() if some and name not in ("taught", "known")} == {
            kind: len(tasks)
        }


BAD: list[tuple[Method, tuple[str, ...], str, str]] = [
    ("memit", ("subject=api",), "baseline", "adapt with --condition s_name"),
    ("memit", ("layers=[7]",), "baseline", "the model has 3"),
]


@pytest.mark.parametrize(("method", "given", "condition", "told"), BAD)
def test_what_cannot_be_adapted_is_told(
    method: Method, given: tuple[str, ...], condition: str, told: str, saved: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=told):
        wanted = adaptation(method, saved, tmp_path / "out", *given, condition=condition)
        adapt(wanted, SETTINGS.generation, tmp_path, Silent())
    assert read_adapted(tmp_path / "out") is None


def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"give a folder with config\.json"):
        load(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gguf/nosuch", "no local model is named 'nosuch'"),
        ("folder", r"folder is no folder of a model \(it has no config.json\); give a folder"),
        ("file", r"file is no folder of a model \(it is a file\); give a folder"),
        ("openai/none", r"the hub gives no model of that name \(HF_HUB_OFFLINE is set\); give a folder"),
    ],
)
def test_a_model_that_is_none_leaves_no_folder_for_another_to_be_refused_in(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").touch()
    with pytest.raises((UsageError, ModelUnavailable), match=told):
        adapt(adaptation("sft", Path(name), tmp_path / "out"), SETTINGS.generation, tmp_path, Silent())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("someone/small", r"the hub gives no model of that name \(http://127\.0\.0\.1:9: .*gguf/NAME"),
        ("no/such/name", "neither a folder nor a name on the hub"),
    ],
)
def test_a_hub_that_is_not_reached_is_asked_once(name: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable, match=told):
        load(f"transformers/{name}")


def test_a_base_on_the_hub_is_known_by_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    commit, home = "0123456789" * 4, tmp_path / "models--someone--small"
    (home / "snapshots" / commit).mkdir(parents=True)
    (home / "snapshots" / commit / "config.json").write_text("{}")
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(commit)
    assert weights_hash("transformers/someone/small") == f"commit {commit}"
    assert weights_hash("transformers/someone/other") is None


def test_weights_that_are_cut_off_are_told(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cut"
    shutil.copytree(saved, folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelUnavailable, match="cannot load"):
        load(str(folder))
