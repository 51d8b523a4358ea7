"""The files by which clusters are started: Ray's launcher and the cloud take them, as far as their own schemas tell."""

from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("ray", reason="Ray is not installed: make install-dev")
FOLDER = Path(__file__).parents[2] / "docs" / "cluster"


def launcher() -> dict[str, Any]:
    return yaml.safe_load((FOLDER / "launcher.yaml").read_text(encoding="utf-8"))


def test_the_launcher_takes_its_file_and_no_other_key() -> None:
    from jsonschema.exceptions import ValidationError
    from ray.autoscaler._private.util import prepare_config, validate_config

    validate_config(prepare_config(launcher()))
    wrong = launcher()
    wrong["available_node_types"]["judge"]["workers"] = 8
    with pytest.raises(ValidationError, match="workers"):
        validate_config(prepare_config(wrong))


def test_the_cloud_takes_its_machines() -> None:
    session = pytest.importorskip("botocore.session", reason="botocore is not installed")
    from botocore.validate import ParamValidator

    asked = session.get_session().get_service_model("ec2").operation_model("RunInstances").input_shape
    for kind in launcher()["available_node_types"].values():
        wanted = {**kind["node_config"], "MinCount": 1, "MaxCount": 1}
        assert not ParamValidator().validate(wanted, asked).has_errors()
        assert ParamValidator().validate({**wanted, "InstanceMarket": "spot"}, asked).has_errors()


def test_the_pods_of_both_groups_are_alike() -> None:
    """Checks of one template (see docs/scale.md) hold for the other, and all parameters are texts."""
    spec = yaml.safe_load((FOLDER / "kuberay.yaml").read_text(encoding="utf-8"))["spec"]
    (workers,) = spec["workerGroupSpecs"]
    first, second = (group["template"]["spec"] for group in (spec["headGroupSpec"], workers))
    assert first["containers"][0]["securityContext"] == second["containers"][0]["securityContext"]
    assert first["containers"][0]["image"] == second["containers"][0]["image"]
    for group in (spec["headGroupSpec"], workers):
        names = {volume["name"] for volume in group["template"]["spec"]["volumes"]}
        assert {mount["name"] for mount in group["template"]["spec"]["containers"][0]["volumeMounts"]} <= names
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
    assert spec["authOptions"] == {"mode": "token"}
