"""Text of models made safe to look at: nothing invisible, nothing endless."""

import re

from apigap.models.invisible_characters import UNSEEN

_LONGEST = 20_000


def visible(text: str) -> str:
    """`text` with invisible characters written as `\\x1b`, and its middle left out past 20,000 characters."""
    text = text.replace("\r\n", "\n")
    if len(text) > _LONGEST:
        half = _LONGEST // 2
        text = f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
    return UNSEEN.sub(_escape, text)


def percent(rate: float | None) -> str:
    """A rate as whole per cent; a dash where there is none."""
    return "–" if rate is None else f"{100 * rate:.0f} %"


def signed_points(difference: float) -> str:
    """A difference of rates in percentage points, with its sign."""
    return f"{100 * difference:+.0f}".replace("-", "−")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
