"""The APIs of both pools; importing this room fills the registries."""

from apigap.benchmarks.apibank.tools import accounts, agenda, home, hospital, information, level3, meetings, money
from apigap.benchmarks.apibank.tools.pools import DIALOGUE, PLANNING

__all__ = [
    "DIALOGUE", "PLANNING", "accounts", "agenda", "home", "hospital", "information", "level3", "meetings", "money",
]  # fmt: skip
