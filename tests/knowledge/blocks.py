"""A usage out of one block of code, as a page of documentation gives it."""

from apigap.knowledge.usages.snippets import usages_of_page
from apigap.knowledge.usages.usage import Usage


def usage_of_block(code: str, source: str = "here") -> Usage | None:
    """The usage that a page with this one block holds, or None when it is not a complete piece of Python."""
    usage = next(usages_of_page(f"```python\n{code}\n```\n", source, "docs"), None)
    return usage and usage.replaced(source=source)
