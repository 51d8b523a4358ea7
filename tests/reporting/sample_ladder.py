"""A made-up ladder: two APIs, one of them with a control, on two measures."""

from apigap.reporting.ladder_model import (
    Ladder,
    LadderApi,
    LadderBalance,
    LadderCost,
    LadderKnowledge,
    LadderLibrary,
    LadderLoss,
    LadderMark,
    LadderMeasure,
    LadderQuestion,
    LadderRate,
    Side,
)

EXISTS, CHOICE = "exists: told apart", "signature: choice"
OPTIONS = ("(a, b)", "(a, c)", "(d, b)", "(d, c)")


def rate(right: int, apis: int, low: float = 0.4) -> LadderRate:
    mean = right / apis if apis else None
    return LadderRate(apis=apis, right=right, mean=mean, low=low, high=1.0)


def measure(name: str, new: LadderRate, control: LadderRate, chance: float = 0.25) -> LadderMeasure:
    """A measure; below the rung where the lower end of `control` is not above `chance`."""
    stated = control.apis > 0 and control.low > chance
    reason = None if stated else "controls are not above chance: below the rung"
    gap = (control.mean or 0) - (new.mean or 0) if stated else None
    return LadderMeasure(
        measure=name, rung=name.partition(":")[0], chance=chance, new=new, control=control, gap=gap,
        low=None if gap is None else gap - 0.1, high=None if gap is None else gap + 0.1,
        p_value=0.01 if stated else None, pairs=min(new.apis, control.apis), families=min(new.apis, control.apis),
        libraries=1, reason=reason,
    )  # fmt: skip


def ladder(*measures: LadderMeasure, hostile: str = "") -> Ladder:
    """The ladder of lib 1 -> 2 with these measures; `hostile` goes into every text that others have written."""
    shown = measures or (measure(EXISTS, rate(1, 2), rate(1, 1), 0.5), measure(CHOICE, rate(0, 2), rate(1, 1)))
    return Ladder(
        libraries=(
            LadderLibrary(
                library="lib", old_version="1", new_version="2", candidates=3, chosen=2, pairs=1, pool=1,
                balance=(
                    LadderBalance(covariate="docstring", new=5.0, control=4.0, difference=0.6, large=True),
                    LadderBalance(covariate="depth", new=2.0, control=1.0, difference=None, large=True),
                ),
            ),
        ),
        way="likelihood",
        measures=shown,
        knowledge=(
            _knowledge("signature", "reading check", None, None),
            _knowledge("example", "cure", 0.25, None),
            _knowledge("prose", "cure", None, f"no control has a bundle{hostile}"),
        ),
        apis=(
            LadderApi(
                library="lib", api_name=f"lib.f{hostile}", change="added", control="lib.old",
                marks=tuple(_mark(one.measure, "right") for one in shown),
            ),
            LadderApi(
                library="lib", api_name="lib.g", change="modified", control=None, no_task="no task could be made of it",
                marks=tuple(
                    LadderMark(
                        measure=one.measure, new="not asked", new_score=None, control="not asked", control_score=None,
                        reason="it gained no parameter",
                    )
                    for one in shown
                ),
            ),
        ),
        questions=(_question("new", hostile), _question("control", hostile)),
        losses=(LadderLoss(library="lib", rung="exists", reason="it gained no parameter", apis=("lib.g",)),),
        unread=1,
        unstable=None,
        cost=LadderCost(questions=4, seconds=12.4, input_tokens=400, output_tokens=20),
        notes=(f"1 of 2 new APIs have a matched control{hostile}",),
    )  # fmt: skip


def _mark(name: str, new: str) -> LadderMark:
    return LadderMark.model_validate(
        {"measure": name, "new": new, "new_score": 1.0, "control": "partly", "control_score": 0.5}
    )


def _knowledge(title: str, kind: str, cure: float | None, reason: str | None) -> LadderKnowledge:
    return LadderKnowledge.model_validate(
        {
            "condition": title, "title": title, "measure": CHOICE, "kind": kind, "apis": 2, "without": 0.0,
            "with_knowledge": 1.0, "cure": cure, "low": None if cure is None else cure - 0.1,
            "high": None if cure is None else cure + 0.1, "pairs": 0 if cure is None else 2,
            "families": 0 if cure is None else 2, "reason": reason,
        }
    )  # fmt: skip


def _question(side: Side, hostile: str) -> LadderQuestion:
    return LadderQuestion(
        task_id=side, library="lib", api_name="lib.old" if side == "control" else f"lib.f{hostile}",
        pair=f"lib.f{hostile}", side=side, measure=CHOICE, question=f"Which parameters does it have?{hostile}",
        options=OPTIONS, wanted=OPTIONS[0], answer=OPTIONS[1], shares=(0.2, 0.5, 0.2, 0.1), mark="wrong", score=0.0,
    )  # fmt: skip
