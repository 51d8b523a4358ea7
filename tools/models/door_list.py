"""The doors that are tried: how a model is named, and which variables say where its server is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apigap.models.generate import MOCK_MODEL
from apigap.models.model_facts import BATCH

LOCAL_MODEL = "qwen2.5-coder-0.5b"
_MOCKED = ("predict", "filter", "audit")
"""Commands with the option --mock-llm; others take the mock by its name."""


@dataclass(frozen=True)
class Door:
    """A way to a model; `{server}` in a variable's value is the address of llama.cpp's server, without /v1."""

    name: str
    model: str
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_files(self) -> bool:
        """True where a command writes requests and stops."""
        return self.model.startswith(BATCH)

    def environment(self, server: str) -> dict[str, str]:
        """The variables with the address of the server in them."""
        return {name: value.format(server=server) for name, value in self.variables.items()}

    def words(self, words: tuple[str, ...]) -> list[str]:
        """A role's command for this door's model."""
        if self.model == MOCK_MODEL and words[1] in _MOCKED and "-m" in words:
            place = words.index("-m")
            words = (*words[:place], "--mock-llm", *words[place + 2 :])
        return [word.format(model=self.model) for word in words]


DOORS = (
    Door("gguf", f"gguf/{LOCAL_MODEL}"),
    Door("openai-api", "openai-api/local/qwen", {"LOCAL_BASE_URL": "{server}/v1", "LOCAL_API_KEY": "any-word"}),
    Door("anthropic", "anthropic/qwen", {"ANTHROPIC_BASE_URL": "{server}", "ANTHROPIC_API_KEY": "any-word"}),
    Door("ollama", "ollama/qwen", {"OLLAMA_BASE_URL": "{server}/v1"}),
    Door("vllm", "vllm/qwen", {"VLLM_BASE_URL": "{server}/v1"}),
    Door("batch", "batch/queue/qwen"),
    Door("mock", MOCK_MODEL),
)
