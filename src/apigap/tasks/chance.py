"""Does a program draw numbers without a seed? Then its calls differ from run to run, and no task can be made of it."""

import ast

_MAKERS = frozenset({"default_rng", "RandomState", "Random", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"})
_HARMLESS = frozenset({"seed", "default_rng", "get_state", "set_state", "Generator", "SeedSequence"}) | _MAKERS
_FRESH = frozenset({"uuid1", "uuid4", "urandom", "token_hex", "token_bytes", "token_urlsafe", "SystemRandom"})


def draws_by_chance(code: str) -> str | None:
    """The first call in `code` that draws without a seed, as text; None where there is none.

    A seed that is set anywhere (`np.random.seed(1)`) makes the module's own functions repeatable, and one that is
    given (`default_rng(1)`) the generator's.
    """
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    modules = _random_modules(code)
    seeded = any(_last(call.func) == "seed" and call.args for call in calls)
    for call in calls:
        last = _last(call.func)
        unseeded_maker = last in _MAKERS and not call.args and not call.keywords
        of_module = _holder(call.func) in modules and last not in _HARMLESS
        if last in _FRESH or unseeded_maker or (of_module and not seeded):
            return ast.unparse(call)
    return None


def _random_modules(code: str) -> frozenset[str]:
    """What the module-level generators are called: `random`, `np.random`, and names imported from them."""
    names = {"random", "np.random", "numpy.random"}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module in ("random", "numpy.random"):
            names.update(f"={alias.asname or alias.name}" for alias in node.names)
    return frozenset(names)


def _holder(function: ast.expr) -> str:
    return ast.unparse(function.value) if isinstance(function, ast.Attribute) else f"={_last(function)}"


def _last(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
