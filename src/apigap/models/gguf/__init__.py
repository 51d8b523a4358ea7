"""Local GGUF models: servers of llama.cpp, and the worker that each is."""
