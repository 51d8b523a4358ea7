"""The weights of the signs of importance: `python -m tools.discovery.importance fit` prints this file."""

INTERCEPT = -0.46
WEIGHTS = {
    "has a docstring, the longer the better": 1.17,
    "is named in the changelog, or marked as of this series": 0.19,
    "lies higher in the package than others": 0.91,
    "is called in another way": 0.65,
    "is not named in the changelog": -1.32,
    "overrides a member of a base class": -1.55,
    "is a class that was there before": -1.16,
    "is only written differently": -0.67,
    "is a member without a docstring": -0.51,
    "lies among the library's own machinery": -0.22,
}
