"""The providers of models by the names that Inspect has for them: client, key and address of each."""

import os
from collections.abc import Mapping
from typing import NamedTuple

from apigap.records.extras import install_command


class Access(NamedTuple):
    """The way to a provider: the client that asks it, the variables of its key, that of its address.

    `module` is what is imported, `package` what is installed, `extra` the one of ours that installs it (empty where
    none does). Any one of `keys` is enough; none of them is needed where there are none, or where `key_optional`.
    `address` may be set; it must be where `needs_address`. `here` says that weights are loaded on this machine,
    `others` that there are other ways than a key to be let in.
    """

    module: str
    package: str
    extra: str = ""
    keys: tuple[str, ...] = ()
    address: str = ""
    needs_address: bool = False
    key_optional: bool = False
    here: bool = False
    others: bool = False

    @property
    def install(self) -> str:
        """The command that installs the client."""
        return install_command(self.extra) if self.extra else f"pip install {self.package}"

    def key_is_set(self, environment: Mapping[str, str] | None = None) -> bool:
        """True where a key is set, or none is wanted."""
        values = os.environ if environment is None else environment
        return self.key_optional or not self.keys or any(values.get(key) for key in self.keys)


def _openai(keys: str, address: str, **more: bool) -> Access:
    """A provider that speaks the protocol of OpenAI."""
    return Access("openai", "openai", "openai", (keys,), address, **more)


ACCESS: Mapping[str, Access] = {
    "openai": _openai("OPENAI_API_KEY", "OPENAI_BASE_URL", others=True),
    "anthropic": Access(
        "anthropic", "anthropic", "anthropic", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", others=True
    ),
    "google": Access(
        "google.genai", "google-genai", "google", ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "GOOGLE_BASE_URL", others=True
    ),
    "openrouter": _openai("OPENROUTER_API_KEY", "OPENROUTER_BASE_URL"),
    "together": _openai("TOGETHER_API_KEY", "TOGETHER_BASE_URL"),
    "fireworks": _openai("FIREWORKS_API_KEY", "FIREWORKS_BASE_URL"),
    "deepseek": _openai("DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL"),
    "perplexity": _openai("PERPLEXITY_API_KEY", "PERPLEXITY_BASE_URL"),
    "moonshot": _openai("MOONSHOT_API_KEY", "MOONSHOT_BASE_URL"),
    "sambanova": _openai("SAMBANOVA_API_KEY", "SAMBANOVA_BASE_URL"),
    "ollama": _openai("OLLAMA_API_KEY", "OLLAMA_BASE_URL", key_optional=True),
    "groq": Access("groq", "groq", keys=("GROQ_API_KEY",), address="GROQ_BASE_URL"),
    "mistral": Access("mistralai", "mistralai", keys=("MISTRAL_API_KEY",), address="MISTRAL_BASE_URL"),
    "grok": Access("xai_sdk", "xai_sdk", keys=("XAI_API_KEY", "GROK_API_KEY")),
    "bedrock": Access("aioboto3", "aioboto3"),
    "hf": Access("transformers", "transformers", "adapt", here=True),
    "vllm": Access("openai", "openai", "openai", ("VLLM_API_KEY",), "VLLM_BASE_URL", key_optional=True, here=True),
    "sglang": Access(
        "openai", "openai", "openai", ("SGLANG_API_KEY",), "SGLANG_BASE_URL", key_optional=True, here=True
    ),
    "llama-cpp-python": _openai("LLAMA_CPP_PYTHON_API_KEY", "LLAMA_CPP_PYTHON_BASE_URL", key_optional=True),
}
COMPATIBLE = ("openai-api", "openai-api-completions")
"""Any server of OpenAI's protocol, as `openai-api/SERVICE/MODEL`; the service's name is that of its variables."""
SHOWN = ("openai", "anthropic", "google")
"""Those that an extra of ours installs."""


def access_of(model: str) -> Access | None:
    """The way to the provider of `model`, an Inspect name; None for one that is not in the table."""
    provider, _, rest = model.partition("/")
    if provider in COMPATIBLE:
        service = rest.partition("/")[0].upper().replace("-", "_")
        return _openai(f"{service}_API_KEY", f"{service}_BASE_URL", needs_address=True)
    return ACCESS.get(provider)
