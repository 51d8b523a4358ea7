"""Short forms of what tests ask of the benchmarks' one path."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.benchmark import ApiBank, ApiBankOptions
from apigap.benchmarks.calls.benchmark import Calls, CallsOptions
from apigap.benchmarks.toolllm.benchmark import ToolLlm, ToolLlmOptions
from apigap.evaluation.calibrate import Calibration, calibrate
from apigap.evaluation.score import score
from apigap.records.configuration import load_settings
from tests.silent import Silent


def toolllm(queries: Sequence[Path], *overrides: str, **options: Any) -> ToolLlm:
    return ToolLlm(ToolLlmOptions.of(queries=tuple(queries), **options), load_settings(overrides=overrides))


def apibank(data: Path = Path("own"), **options: Any) -> ApiBank:
    return ApiBank(ApiBankOptions.of(data=data, **options), load_settings())


def calls(data: str = "own", *overrides: str, **options: Any) -> Calls:
    return Calls(CallsOptions.of(data=Path(data), **options), load_settings(overrides=overrides))


def summary_of(benchmark: Any, predictions: Path, out: Path, answered_only: bool = False) -> Any:
    return score(benchmark, predictions, out, Silent(), answered_only=answered_only).summary


def calibrated(benchmark: Any) -> Calibration:
    return calibrate(benchmark, Silent())
