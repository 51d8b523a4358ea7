"""A fact that no model knows: one function of a library that does not exist, and others beside it."""

from apigap.records.knowledge import KnowledgeBundle, Surface
from apigap.records.task import Harness, Spy, Task


def a_task(leaf: str, purpose: str) -> Task:
    code = f"result = gridlight.{leaf}(samples)\n"
    return Task(
        api_name=f"gridlight.{leaf}", library="gridlight", version="2.0", old_version="1.0", domain="test",
        change="added", difficulty="easy", description=f"Set `result` with the gridlight function that {purpose}.",
        context_code="import gridlight\nsamples = [1.0, 2.0, 4.0]\n", masked_region=code,
        reference_solution=f"import gridlight\nsamples = [1.0, 2.0, 4.0]\n{code}",
        harness=Harness(layers=(), scenarios=(), spy=Spy(target=f"gridlight.{leaf}")), author="test",
    )  # fmt: skip


def a_bundle(leaf: str) -> KnowledgeBundle:
    surface = Surface(s_name=f"gridlight.{leaf}", kind="function", signature="(samples)")
    return KnowledgeBundle(
        api_name=f"gridlight.{leaf}", library="gridlight", version="2.0", change="added", surface=surface
    )


FACT = a_task("trapsum", "integrates samples by the trapezoid rule")
BESIDE = a_task("spreadbell", "draws a bell curve")
BUNDLES = {bundle.api_name: bundle for bundle in (a_bundle("trapsum"), a_bundle("spreadbell"))}
