"""How an answer is drawn, in the settings of Inspect: greedily at temperature zero, through every provider."""

from typing import Any

from apigap.models.request import Decoding

_TRANSFORMERS = "hf/"


def drawing_of(provider: str, decoding: Decoding, temperature: float, seed: int) -> dict[str, Any]:
    """The fields of Inspect's `GenerateConfig` for one answer of `provider`, an Inspect name.

    The library behind `hf/` takes no temperature of zero, and looks at its fifty likeliest tokens where nothing is
    said: the first is greedy with just the likeliest one, and elsewhere all may be drawn.
    """
    drawn: dict[str, Any] = {
        "temperature": temperature,
        "top_p": decoding.top_p if temperature and decoding.top_p < 1 else None,
        "seed": seed if temperature else None,
    }
    if provider.startswith(_TRANSFORMERS):
        top_p = decoding.top_p if temperature else None  # the weights may come with another
        drawn |= {"temperature": temperature or None, "top_p": top_p, "top_k": 0 if temperature else 1}
    return drawn
