"""Changing what a model knows: tuning (SFT, RAFT), editing (MEMIT, AlphaEdit, GRACE), and what each costs elsewhere."""
