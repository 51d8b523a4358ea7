"""Errors of a call: inside the API (part of its result) or before it runs (raised)."""


class ApiError(Exception):
    """The API's own refusal; its text is the result's `exception`."""


class Refused(Exception):
    """A call that never reached its API. `kind` is the class of the error that the released system raises."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


INVALID_NAME = "Exception"
INVALID_ARGUMENT = "AssertionError"
MISSING_ARGUMENT = "TypeError"
INVALID_NUMBER = "ValueError"
