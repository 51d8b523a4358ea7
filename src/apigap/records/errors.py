"""The one tree of errors: every error a user can meet names what happened, with which value, and what to do next.

ApigapError
├── UsageError              exit 2: the request itself cannot be right
├── CheckFailed             exit 1: a check that the user asked for failed
├── CorruptRecord           exit 3: a file on disk does not hold what it must
├── Paused                  exit 0: nothing is wrong, the same command goes on later
│   ├── AnswersAwaited      requests have been written, and somebody else answers them
│   └── BudgetSpent         a limit of dollars, tokens or minutes is reached
└── InfrastructureError     exit 3: the machine, the index or a provider stood in the way
    ├── EnvironmentFailure  a library version cannot be resolved or installed
    ├── IsolationMissing    generated code cannot be isolated here
    └── ModelUnavailable    a model cannot be loaded or reached
        └── UnknownModel    exit 2: no model or provider has this name
"""

from apigap.records.secrets import hidden


class ApigapError(Exception):
    """Base of every error that apigap raises on purpose; `exit_code` is what the command line returns.

    Its words never hold a key: they may quote what a server said.
    """

    exit_code = 3

    def __init__(self, *words: object) -> None:
        super().__init__(*(hidden(word) if isinstance(word, str) else word for word in words))


class UsageError(ApigapError):
    """The request cannot be right whatever the machine does (unknown name, old version = new version)."""

    exit_code = 2


class CheckFailed(ApigapError):
    """A check that the user asked for ran and failed."""

    exit_code = 1


class Paused(ApigapError):
    """A run has stopped where it was meant to; nothing is wrong, and the same command goes on from there."""

    exit_code = 0


class AnswersAwaited(Paused):
    """Requests have been written to files, and their answers are not there yet."""


class BudgetSpent(Paused):
    """A limit that the user set on dollars, tokens or minutes is reached."""


class CorruptRecord(ApigapError):
    """A file on disk does not hold what it must; the message names file, line and reason."""


class InfrastructureError(ApigapError):
    """The machine, the package index or a provider stood in the way; never a verdict about a candidate."""


class EnvironmentFailure(InfrastructureError):
    """A library version cannot be resolved or installed; carries the installer's own reason."""


class IsolationMissing(InfrastructureError):
    """Generated code cannot be isolated on this machine."""


class ModelUnavailable(InfrastructureError):
    """A model cannot be downloaded, loaded or reached."""


class UnknownModel(ModelUnavailable):
    """A name that is no model's or no provider's, whatever the machine has: the request cannot be right."""

    exit_code = 2


class ApigapWarning(UserWarning):
    """Something was repaired or left out on the way; the run goes on."""
