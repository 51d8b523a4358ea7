"""The findings of a validation, counted and told."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from apigap.gates.accepted_forms import TriedForm
from apigap.gates.battery import CheckedCase, Skipped
from apigap.gates.kept_answers import Replayed, counted
from apigap.gates.record import GateRecord
from apigap.records.base import Json


@dataclass(frozen=True)
class FamilyCounts:
    """Counts of one family of the battery: cases, those that do not apply, outcomes, labels and problems."""

    family: int
    cases: int
    not_applicable: int
    outcomes: Mapping[str, int]
    labels: Mapping[str, int]
    problems: int


@dataclass
class Validation:
    """The findings of a validation."""

    tasks: int
    gates: list[GateRecord] = field(default_factory=list[GateRecord])
    checks: list[CheckedCase] = field(default_factory=list[CheckedCase])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    changes: list[str] = field(default_factory=list[str])
    forms: list[TriedForm] = field(default_factory=list[TriedForm])
    replayed: list[Replayed] = field(default_factory=list[Replayed])
    answers_left: int = 0
    """Kept answers that were not judged, since their tasks were not among those that were checked."""

    @property
    def problems(self) -> list[str]:
        """Everything that is not as it must be, in words."""
        gates = [f"{r.api_name} ({r.task_id}): {r.reason}" for r in self.gates if r.status != "passed"]
        forms = [f"{f.task.api_name} ({f.task.task_id}): {f.form.name}: {f.problem}" for f in self.forms if f.problem]
        cases = [told for check in self.checks if (told := check.told)]
        answers = [problem for one in self.replayed if (problem := one.problem)]
        return [*gates, *forms, *answers, *cases, *self.changes]

    @property
    def no_verdict(self) -> dict[str, int]:
        """The problems that are none of tasks or judge, since the machine gave no verdict; counted by reason."""
        gates = [record.reason or "it was not run" for record in self.gates if record.undecided]
        stopped = [check.reason for check in self.checks if check.problem and check.outcome == "infra"]
        answers = [one.reason for one in self.replayed if one.outcome == "infra" and one.problem]
        return dict(sorted(Counter([*gates, *stopped, *answers]).items()))

    @property
    def mutants(self) -> int:
        """The number of mutants of the references that were judged."""
        return sum(record.evidence.get("mutants", 0) for record in self.gates)

    @property
    def killed(self) -> int:
        """The number of them that did not pass."""
        return sum(record.evidence.get("killed", 0) for record in self.gates)

    @property
    def accepted_forms(self) -> list[TriedForm]:
        """The forms that a task leaves open."""
        return [tried for tried in self.forms if tried.form.accepted]

    @property
    def kept_from_old(self) -> int:
        """The number of references that were run in the version before, where none of a valid task passes."""
        return sum(record.evidence.get("old_version") is not None for record in self.gates)

    @property
    def families(self) -> list[FamilyCounts]:
        """The counts of every family that has a case, or one that does not apply."""
        numbers = {check.family for check in self.checks} | {skipped.family for skipped in self.skipped}
        return [self._family(number) for number in sorted(numbers)]

    def _family(self, number: int) -> FamilyCounts:
        checks = [check for check in self.checks if check.family == number]
        return FamilyCounts(
            family=number,
            cases=len(checks),
            not_applicable=sum(skipped.family == number for skipped in self.skipped),
            outcomes=dict(sorted(Counter(check.outcome for check in checks).items())),
            labels=dict(sorted(Counter(check.label for check in checks if check.label).items())),
            problems=sum(check.problem is not None for check in checks),
        )

    def as_json(self) -> dict[str, Json]:
        """For machines: counts, then every problem with the code that shows it."""
        wrong = [check for check in self.checks if check.problem]
        return {
            "tasks": self.tasks,
            "valid": sum(record.status == "passed" for record in self.gates),
            "mutants": self.mutants,
            "killed": self.killed,
            "in_old_version": self.kept_from_old,
            "cases": len(self.checks),
            "families": [
                {name.replace("_", " "): value for name, value in asdict(row).items()} for row in self.families
            ],
            "accepted_forms": len(self.accepted_forms),
            "refused_forms": len(self.forms) - len(self.accepted_forms),
            "answers": counted(self.replayed),
            "answers_left": self.answers_left,
            "changes": self.changes,
            "no_verdict": self.no_verdict,
            "problems": self.problems,
            "code": [{"problem": check.told, "code": check.code} for check in wrong],
        }
