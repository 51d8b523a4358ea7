"""API selection on ToolBench's queries (ToolLLM, arXiv:2307.16789): which of the offered APIs an answer chose."""
