"""The likelihood of options: a law of the request alone, and a method that says no before it is asked."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from apigap.models.download import ensure_file
from apigap.models.generate import Generator
from apigap.models.model_facts import scores_options
from apigap.models.options import OptionRequest, OptionScore, OptionScores
from apigap.models.options.token_scores import begin_of, score_tokens
from apigap.models.registry import find_model
from apigap.models.request import Decoding, GenerationRequest, Message
from apigap.records.base import Json
from apigap.records.errors import UsageError

MODEL = "gguf/smollm2-135m"
TEXT = st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple)


@pytest.mark.parametrize("options", [(), ("a", ""), ("a", "b", "a")])
def test_options_that_cannot_be_told_apart_are_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError):
        OptionRequest(key="a", prompt="p", options=options)


def test_both_scores_can_disagree() -> None:
    long, short = OptionScore(log_probability=-8, tokens=8), OptionScore(log_probability=-4, tokens=2)
    scores = OptionScores(scores=(long, short))
    assert (scores.likeliest, scores.likeliest_per_token, scores.fits) == (1, 0, True)
    nothing = OptionScores(input_tokens=9000)
    assert (nothing.likeliest, nothing.likeliest_per_token, nothing.fits) == (None, None, False)


@pytest.mark.parametrize(
    ("prompt", "wholes", "begin"),
    [
        ((1, 2, 3), [(1, 2, 3, 4), (1, 2, 3, 5)], 3),
        ((1, 2, 3), [(1, 2, 9), (1, 2, 3, 5)], 2),  # one option is merged with the end of the prompt
        ((1, 2), [(1, 2, 7, 8), (1, 2, 7, 9)], 2),  # what options share belongs to them, not to the prompt
        ((5,), [(6,)], 0),
    ],
)
def test_scores_begin_where_an_option_can_change_the_tokens(
    prompt: tuple[int, ...], wholes: list[tuple[int, ...]], begin: int
) -> None:
    assert begin_of(prompt, wholes) == begin


class Slot:
    """Stands for a server: a log-probability that tells place and token, of the token written and of some others."""

    def __init__(self, others: tuple[int, ...], silent: tuple[int, ...] = ()) -> None:
        self.others, self.silent = others, silent
        self.steps: list[tuple[int, ...]] = []

    def __call__(self, request: dict[str, Json]) -> Json:
        before, written = tuple(request["prompt"]), request["logit_bias"][0][0]
        self.steps.append(before)
        if written in self.silent:
            return {"choices": [{"logprobs": None}]}
        others = range(5) if request["n_probs"] > 1000 else self.others
        top = [{"id": one, "logprob": value(before, one)} for one in others]
        place = {"id": written, "logprob": value(before, written), "top_logprobs": top}
        return {"choices": [{"logprobs": {"content": [place]}}]}


def value(before: tuple[int, ...], token: int) -> float:
    return -sum((place + 1) * (one + 1) for place, one in enumerate((*before, token))) / 7


@given(st.lists(TEXT, min_size=1, max_size=5), st.lists(st.integers(0, 3), max_size=3), st.lists(st.integers(0, 3)))
def test_scores_are_sums_over_tokens_in_any_order_and_company(
    options: list[tuple[int, ...]], others: list[int], silent: list[int]
) -> None:
    prompt = (9, 9)
    wholes = [(*prompt, *option) for option in options]
    slot = Slot(tuple(others), tuple(silent))
    found = score_tokens(slot, wholes, 2, spare=4)
    for whole, score in zip(wholes, found, strict=True):
        assert score == pytest.approx(sum(value(whole[:n], whole[n]) for n in range(2, len(whole))))
        assert score_tokens(Slot(()), [whole], 2, spare=4) == [score]
    assert score_tokens(Slot(()), wholes[::-1], 2, spare=4) == found[::-1]
    if not silent:
        nodes = {whole[: n + 1] for whole in wholes for n in range(2, len(whole))}
        assert len(slot.steps) <= len(nodes), "what options share was computed twice"


@pytest.mark.parametrize(
    ("model", "does"),
    [(MODEL, True), ("gguf/qwen2.5-coder-0.5b", True), ("mockllm/model", False), ("openai/gpt-4o", False)],
)
def test_a_model_says_whether_it_tells_likelihoods(model: str, does: bool) -> None:
    assert scores_options(model) is does


def test_a_reasoning_model_is_asked_by_letters(tmp_path: Path) -> None:
    """Its template opens the trace, where no option follows."""
    (tmp_path / "thinker.gguf").write_bytes(b"GGUF")
    thinker = find_model("smollm2-135m").model_copy(update={"reasoning": True})
    (tmp_path / "thinker.yaml").write_text(thinker.model_dump_json(exclude={"name", "sources"}))
    assert not scores_options(f"gguf/{tmp_path}/thinker.gguf")


def test_a_model_without_likelihoods_is_refused_at_once() -> None:
    generator = Generator("mockllm/model")
    assert not generator.scores_options
    with pytest.raises(UsageError, match="letter of an option"):
        generator.score_options([OptionRequest(key="a", prompt="p", options=("x",))], lambda _key, _scores: None)


def scored(generator: Generator, requests: list[OptionRequest]) -> dict[str, tuple[OptionScore, ...]]:
    found: dict[str, tuple[OptionScore, ...]] = {}
    generator.score_options(requests, lambda key, scores: found.update({key: scores.scores}))
    return found


def begun(question: str, beginning: str) -> tuple[Message, Message]:
    return Message(role="user", content=question), Message(role="assistant", content=beginning)


SHARED = "Python code of a library is shown, and its next line is to be found.\n\n"
SHAPES = ("start, stop, num=50)", "start, stop, count=50)", "x)", " start)")
CASES = [
    OptionRequest(key="merged", prompt=begun(f"{SHARED}linspace", "np.linspace("), options=SHAPES, shared=len(SHARED)),
    OptionRequest(key="words", prompt=f"{SHARED}Say hello.", options=("Hello", " Hello", "hello!"), shared=len(SHARED)),
    OptionRequest(key="end", prompt=f"{SHARED}\n x", options=("Hello", "no"), shared=len(SHARED)),  # other last token
    OptionRequest(key="alone", prompt="Name a fruit.", options=("An apple", "An axle")),
    OptionRequest(key="parts", prompt="Translate: world.", options=("世界", "é🎉", "<|im_end|>")),
    OptionRequest(key="inside", prompt=begun("Go on.", "def f(x):\n    return x"), options=(" + 1\n", "[0]\n", "\n")),
]


@pytest.mark.model
def test_scores_depend_on_the_request_alone() -> None:
    """Not on the order of requests or options, the company, other answers in between, or the number of servers."""
    ensure_file(find_model("smollm2-135m"))
    turned = [case.model_copy(update={"options": case.options[::-1]}) for case in CASES[::-1]]
    with Generator(MODEL, Decoding(max_tokens=2), connections=1, cache=False) as one:
        first = scored(one, CASES)
        one.answer(GenerationRequest(key="between", prompt=f"{SHARED}Say hi.", shared=len(SHARED)))
        again = scored(one, turned)
    with Generator(MODEL, connections=2) as two:
        both = scored(two, [*CASES[1:], CASES[0]])
    assert first == both == {key: scores[::-1] for key, scores in again.items()}
    assert all(score.log_probability < 0 for scores in first.values() for score in scores)
    assert {key: [score.tokens for score in scores] for key, scores in first.items()}["words"] == [1, 1, 2]


@pytest.mark.model
def test_options_that_do_not_fit_the_window_have_no_scores() -> None:
    long = OptionRequest(key="long", prompt="word " * 300, options=("a",))
    wide = OptionRequest(key="wide", prompt="Say it.", options=("a", "word " * 300))
    short = OptionRequest(key="short", prompt="Say it.", options=("a",))
    found: dict[str, OptionScores] = {}
    with Generator(MODEL, connections=1, model_args={"context": 256}) as generator:
        generator.score_options([long, wide, short], lambda key, scores: found.update({key: scores}))
    assert {key: scores.fits for key, scores in found.items()} == {"long": False, "wide": False, "short": True}
    assert found["long"].input_tokens > 256 > found["wide"].input_tokens > 0


@pytest.mark.model
def test_a_begun_answer_is_taken_as_it_is() -> None:
    """The beginning of an option may as well stand in the begun answer: the log-probabilities add up."""
    question, text, end = "Write it.", "x = 1\n", "y = 2"
    cases = {"none": ("", text), "begun": (text, end), "all": ("", text + end)}
    requests = [OptionRequest(key=k, prompt=begun(question, b), options=(o,)) for k, (b, o) in cases.items()]
    with Generator(MODEL, connections=1) as generator:
        found = scored(generator, [*requests, OptionRequest(key="plain", prompt=question, options=(text,))])
    assert found["plain"] == found["none"]
    (first,), (rest,), (both,) = found["none"], found["begun"], found["all"]
    assert first.tokens + rest.tokens == both.tokens
    assert first.log_probability + rest.log_probability == pytest.approx(both.log_probability, abs=0.05 * both.tokens)


@pytest.mark.model
def test_the_first_token_is_as_likely_as_its_answer_says() -> None:
    """Against the probabilities that come with a written answer, which are computed over the whole prompt at once."""
    prompt = "Is water wet? Answer Yes or No."
    with Generator(MODEL, Decoding(max_tokens=1), connections=1, alternatives=8, cache=False) as generator:
        (answer,) = generator.answer(GenerationRequest(key="a", prompt=prompt))
        tokens = tuple(token for token, _ in answer.alternatives)
        scores = scored(generator, [OptionRequest(key="a", prompt=prompt, options=tokens)])["a"]
    assert [score.tokens for score in scores] == [1] * 8
    for score, (_, told) in zip(scores, answer.alternatives, strict=True):
        assert score.log_probability == pytest.approx(told, abs=0.1)  # other shapes of products, 4-bit weights
