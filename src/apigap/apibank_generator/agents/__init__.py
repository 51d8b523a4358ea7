"""The five agents: their prompts, the attempts at dialogues, and the order in which a model is asked."""
