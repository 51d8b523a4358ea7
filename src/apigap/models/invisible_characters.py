"""Characters that nobody sees in a text, and that a model may write all the same."""

import re

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
"""Controls (but tab and line feed), soft hyphens, marks that turn the reading direction or join and part words, lines'
own ends, lone surrogates, no characters at all, and the tags and selectors that can carry words."""
