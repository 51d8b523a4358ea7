"""One dialogue as it goes on: whose turn it is, what the model is shown, and how it ends."""

from typing import Literal

from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.play import Play
from apigap.benchmarks.apibank.live.users import read_words, simulated
from apigap.benchmarks.apibank.prompts import Prompter
from apigap.benchmarks.apibank.scoring.corrected import Read, begins_a_call
from apigap.models.request import GenerationRequest, Message, StopReason

Over = Literal["user", "turns", "length", "context", "filtered", "no user"]
"""The reason for an end: the user has nothing left to say; the budget of answers is used up; what ended an answer
before it was whole; or the simulated user gave no words."""


class Conversation:
    """One sample of a script with one model; `over` says why it has ended, None while it goes on.

    An answer with a call that can be read makes the call, the first one alone; any other is said to the user, who goes
    on. So does a user whose model has made as many calls in a row as `Script.most_calls` allows. `turns` bounds the
    answers. `plays_user` says that the user's words are asked for; otherwise they are the recorded ones.
    """

    def __init__(
        self, play: Play, judge: ApiBankJudge, prompter: Prompter, sample: int, turns: int, plays_user: bool
    ) -> None:
        self.play = play
        self.sample = sample
        self.tried = False
        self.answers = 0
        self.over: Over | None = None
        self.users_turn = False
        script = play.script
        self.key = f"{script.name}#{sample}"
        self._read = judge.read
        self._prompter = prompter
        self._turns = turns
        self._plays_user = plays_user
        self._in_a_row = 0
        self._left = list(script.said[1:])
        told = Message(role="system", content=prompter.live_instruction(script.first))
        self.messages: list[Message] = [told, Message(role="user", content=script.said[0])]
        self.talk: list[tuple[str, str]] = [("user", script.said[0])]
        """The words of both, without calls, as the user hears them."""

    def request(self, temperature: float, seed: int) -> GenerationRequest:
        """The request for the next answer of the model, or for the next words of the user."""
        key = f"{self.key}#{self.answers}"
        if self.users_turn:
            return simulated(f"{key}u", self.play.script.said, self.talk, temperature, seed)
        shared = len(self.messages[0].content)
        return GenerationRequest(
            key=key, prompt=tuple(self.messages), shared=shared, temperature=temperature, seed=seed
        )

    def answered(self, text: str, stop: StopReason) -> None:
        """Go on with an answer of the model."""
        self.answers += 1
        self.messages.append(Message(role="assistant", content=text))
        asked = self._read(text)
        if asked:
            self._call(asked[0])
        elif stop in ("length", "context", "filtered"):
            self.over = stop
        else:
            self.tried = self.tried or begins_a_call(text)
            self.talk.append(("assistant", text))
            self._hand_over()
        if self.over is None and self.answers >= self._turns:
            self.over = "turns"

    def heard(self, text: str) -> None:
        """Go on with the words of a simulated user."""
        self.users_turn = False
        words = read_words(text)
        if words:
            self._say(words)
        else:
            self.over = "user" if words is None else "no user"

    def _call(self, asked: Read) -> None:
        shown = self._prompter.result(self.play.script.first, self.play.call(asked))
        self.messages.append(Message(role="user", content=f"->{shown}"))
        self._in_a_row += 1
        if self._in_a_row >= self.play.script.most_calls:
            self._hand_over()

    def _hand_over(self) -> None:
        self._in_a_row = 0
        if self._plays_user:
            self.users_turn = True
        elif self._left:
            self._say(self._left.pop(0))
        else:
            self.over = "user"

    def _say(self, text: str) -> None:
        """Words of the user; after a result they stand in the same message, since roles take turns."""
        self.talk.append(("user", text))
        last = self.messages[-1]
        if last.role == "user":
            self.messages[-1] = Message(role="user", content=f"{last.content}\n{text}")
        else:
            self.messages.append(Message(role="user", content=text))
