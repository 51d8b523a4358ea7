"""The cause of a failed answer: one of six classes, from what was seen while it ran."""

from apigap.diagnosis.classify import Diagnosis, diagnose
from apigap.diagnosis.events import VerdictLike

__all__ = ["Diagnosis", "VerdictLike", "diagnose"]
