"""The weights of the signs of importance: `python -m tools.discovery.importance fit` prints this file."""

INTERCEPT = -0.46
WEIGHTS = {
    "has a docstring, the longer the better": 1.42,
    "is named in the changelog, or marked as of this series": 0.76,
    "lies higher in the package than others": 0.69,
    "is called in another way": 0.52,
    "is not named in the changelog": -1.53,
    "overrides a member of a base class": -1.51,
    "is a class that was there before": -0.9,
    "is only written differently": -0.61,
    "is a member without a docstring": -0.51,
    "lies among the library's own machinery": -0.49,
}
