"""What stands where a value should: `[city]`, `<name>`, `{date}`, `XXX`, `YOUR_CITY`, the bare word `string`."""

import re

PLACEHOLDER = re.compile(
    r"\[[A-Za-z][\w ]{1,30}\](?!\()|<[A-Za-z][\w ]{1,30}>|\{\{?[A-Za-z][\w ]{0,30}\}?\}|\b(?:X{3,}|x{3,})\b"
    r"|\b(?i:your_[a-z_]+)\b|\bYOUR [A-Z ]+ HERE\b|\b(?:TBD|TODO)\b|\b(?i:lorem ipsum|foo ?bar)\b"
    r"|^(?i:string|value|example|placeholder)$"
)
"""In any text: what a query, an argument, a result or a reply may not have. `[here](...)` is a link."""
NOTHING = re.compile(r"^(?i:n/?a|null|none|unknown)$")
"""What no argument says; a result may (`"risk": "none"`)."""
