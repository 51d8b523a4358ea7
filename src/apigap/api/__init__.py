"""The functions of the package's public interface, one module per job; the command line calls the same ones.

What `apigap` itself offers of them is public; all else may change from one version to the next.
"""

DEFAULT_MODEL = "gguf/qwen2.5-coder-0.5b"
"""The model that comes from the package index and runs on this machine."""
