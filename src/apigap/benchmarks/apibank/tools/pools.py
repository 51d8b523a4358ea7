"""The two registries: of the dialogues (levels 1 and 2) and of the requirements (level 3)."""

from apigap.benchmarks.apibank.registry import Registry

DIALOGUE = Registry("level-1-2")
PLANNING = Registry("level-3")
