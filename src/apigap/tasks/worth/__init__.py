"""Tests of a synthesised task's worth: data that mean something, an outcome that shows the purpose, no copies.

Each check gives the reason for which a task is not made, or None. What is refused here may still be an item of a lower
rung of the ladder, which names the API.
"""
