"""Programs that draw random numbers without a seed: they are detected, and given one, so that runs repeat."""

import ast

from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import last_name

_SEED = 12
_MAKERS = frozenset({"default_rng", "RandomState", "Random", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"})
_HARMLESS = frozenset({"seed", "default_rng", "get_state", "set_state", "Generator", "SeedSequence"}) | _MAKERS
_SEEDS = frozenset({"seed", "random_state", "rng"})
_FRESH = frozenset({"uuid1", "uuid4", "urandom", "token_hex", "token_bytes", "token_urlsafe", "SystemRandom"})


def seeded(usage: Usage) -> Usage:
    """`usage` with a seed where it draws without one; what cannot be seeded (a fresh UUID) is left as it is."""
    if draws_by_chance(usage.code) is None:
        return usage
    seeds, imports = _seeds(usage.code)
    return usage.replaced(
        prelude=(*(_with_seeds(part) for part in usage.prelude), *imports),
        inputs=tuple((name, _with_seeds(value)) for name, value in usage.inputs),
        steps=(*(Step(code=seed) for seed in seeds), *(_seeded_step(step) for step in usage.steps)),
    )


def _seeds(code: str) -> tuple[list[str], list[str]]:
    """The calls that seed the modules whose own functions draw, and the imports that these calls need."""
    holders = _drawing_holders(code)
    seeds = {f"{holder}.seed({_SEED})" for holder in holders if not holder.startswith("=")}
    modules = {_module(holder, code) for holder in holders if holder.startswith("=")}
    return sorted(seeds | {f"seed({_SEED})" for _ in modules}), [f"from {name} import seed" for name in sorted(modules)]


def _seeded_step(step: Step) -> Step:
    expression = _with_seeds(step.expression) if step.expression else step.expression
    return Step(code=_with_seeds(step.code) if step.code else step.code, expression=expression)


def _with_seeds(code: str) -> str:
    """`code` with a seed for every generator that is made without one."""
    tree = parse(code)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_unseeded_maker(node)]
    for call in found:
        call.args.append(ast.Constant(_SEED))
    return ast.unparse(tree) if found else code


def _drawing_holders(code: str) -> list[str]:
    """Prefixes of calls to the modules' own random functions: `np.random`, or `=shuffle` for an imported one."""
    calls = [node for node in ast.walk(parse(code)) if isinstance(node, ast.Call)]
    modules = _random_modules(code)
    return sorted({_holder(c.func) for c in calls if _holder(c.func) in modules and last_name(c.func) not in _HARMLESS})


def _module(holder: str, code: str) -> str:
    """The module that an imported drawing function comes from."""
    imports = (node for node in ast.walk(parse(code)) if isinstance(node, ast.ImportFrom))
    return next(str(n.module) for n in imports if any(f"={a.asname or a.name}" == holder for a in n.names))


def draws_by_chance(code: str) -> str | None:
    """The first call in `code` that draws without a seed, as text; None where there is none.

    A seed that is set anywhere (`np.random.seed(1)`) makes the module's own functions repeatable, and one that is
    given (`default_rng(1)`) the generator's.
    """
    calls = [node for node in ast.walk(parse(code)) if isinstance(node, ast.Call)]
    modules = _random_modules(code)
    seeded = any(last_name(call.func) == "seed" and call.args for call in calls)
    for call in calls:
        last = last_name(call.func)
        of_module = _holder(call.func) in modules and last not in _HARMLESS
        if last in _FRESH or _is_unseeded_maker(call) or (of_module and not seeded):
            return ast.unparse(call)
    return None


def is_by_chance(code: str) -> bool:
    """Check for anything drawn, with a seed or without one."""
    calls = [node for node in ast.walk(parse(code)) if isinstance(node, ast.Call)]
    modules = _random_modules(code)
    return any(
        last_name(call.func) in _MAKERS | _FRESH
        or (_holder(call.func) in modules and last_name(call.func) not in _HARMLESS)
        or any(keyword.arg in _SEEDS and not _is_none(keyword.value) for keyword in call.keywords)
        for call in calls
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_unseeded_maker(call: ast.Call) -> bool:
    return last_name(call.func) in _MAKERS and not call.args and not call.keywords


def _random_modules(code: str) -> frozenset[str]:
    """Names of the module-level generators: `random`, `np.random`, and names imported from them."""
    names = {"random", "np.random", "numpy.random"}
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module in ("random", "numpy.random"):
            names.update(f"={alias.asname or alias.name}" for alias in node.names)
    return frozenset(names)


def _holder(function: ast.expr) -> str:
    return ast.unparse(function.value) if isinstance(function, ast.Attribute) else f"={last_name(function)}"
