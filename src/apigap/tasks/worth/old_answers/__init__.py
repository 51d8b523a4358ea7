"""A search for answers of one step that need nothing new: what an older release, or Python itself, gives as easily.

The search runs in the sandbox, as any program of a task does; what it finds is run again and compared as answers are.
"""
