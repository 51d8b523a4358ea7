"""The page of a training study says what was taught and what it changed."""

from tools.apibank.lynx import lynx_page


def test_a_page_has_the_training_and_a_row_per_level_and_mode() -> None:
    difference = {"n": 40, "difference": 0.1, "low": -0.02, "high": 0.25, "p_value": 0.0123}
    gain = {
        "level": "level-1", "kind": "calls", "before": 0.05, "after": 0.15, "difference": difference, "adjusted": 0.04,
    }  # fmt: skip
    told = {
        "gains": {"released": [gain], "corrected": [gain, gain]},
        "losses": [{"step": 1, "loss": 2.5}, {"step": 2, "loss": 1.25}],
        "cost": {"examples": 8, "seconds": 120.0, "processors": 2, "peak_mib": 2390},
        "settings": {
            "full": False, "rank": 16, "epochs": 1, "batch": 1, "accumulation": 4, "learning_rate": 0.0005,
            "precision": "mixed", "seed": 42,
        },
    }  # fmt: skip
    page = lynx_page({"small": told})
    assert "8 rows, 2 steps, loss 2.50 at the first and 1.25 at the last; 2 minutes on 2 cores, 2,390 MiB" in page
    assert "LoRA of rank 16, 1 epoch, 4 rows a step, learning rate 0.0005, mixed precision, seed 42: 8 rows" in page
    assert page.count("| level-1 | calls | 40 | 5.00 | 15.00 | +10.00 | -2.0 to +25.0 | 0.0123 | 0.04 |") == 3
    assert page.index("In released mode") < page.index("In corrected mode")
