"""A battery of answers whose verdict is known beforehand, made for any task from the task's own content."""

from apigap.gates.battery.build import battery, battery_hash
from apigap.gates.battery.case import Aims, Battery, Case, Skipped
from apigap.gates.battery.check import Judged, problem_of, with_references
from apigap.gates.battery.checked import CheckedCase
from apigap.gates.battery.run import TIGHT, BatteryRun
from apigap.gates.battery.signature import Signature, read_signatures

__all__ = [
    "TIGHT",
    "Aims",
    "Battery",
    "BatteryRun",
    "Case",
    "CheckedCase",
    "Judged",
    "Signature",
    "Skipped",
    "battery",
    "battery_hash",
    "problem_of",
    "read_signatures",
    "with_references",
]
