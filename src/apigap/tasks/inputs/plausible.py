"""Other inputs of an attempt that a user may have."""

from apigap.records.parsing.syntax import parse
from apigap.tasks.attempt import Attempt
from apigap.tasks.inputs.fitting import shouted_words, strange_words
from apigap.tasks.inputs.variants import Variant, in_other_order, in_turns, keeps_flags, variants
from apigap.tasks.worth.contexts import is_idle, placeholders


def plausible_variants(attempt: Attempt) -> list[Variant]:
    """Other inputs for an attempt, in turns by what they change, without placeholders and made-up words."""
    context = attempt.draft.context
    found = in_turns([*variants(attempt.draft), *in_other_order(attempt.draft)], context)
    own = "\n".join((attempt.known, context))
    fit = (one for one in found if not strange_words(one.text, own) and not shouted_words(one.text, own))
    fit = (one for one in fit if not is_idle(one.context))
    return [one for one in fit if keeps_flags(one.context, context) and not any(placeholders(parse(one.text)))]
