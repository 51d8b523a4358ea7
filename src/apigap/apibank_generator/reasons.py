"""Reasons of rejection: all for which the checks or the tester refuse a domain, an API, a query or a dialogue."""

from collections.abc import Mapping
from typing import Literal, get_args

REASONS: Mapping[str, str] = {
    # any answer
    "unreadable": "the answer is no JSON object of the form that was asked for",
    "cut_off": "the answer was cut off at the limit of tokens",
    "refused": "the provider filtered the answer, or the prompt did not fit the model's window",
    "budget": "the budget was used up before the next agent could be asked",
    "empty_list": "the answer lists nothing",
    "invisible_characters": "a text has characters that nobody sees: controls, tags, marks that turn the direction",
    # domains
    "domain_name": "the name is no short label",
    "domain_repeated": "there is this domain already, or one that is nearly the same",
    # APIs
    "api_name": "the name is no identifier that calls can be written with",
    "api_reserved": "the name is that of the search for APIs",
    "api_repeated": "there is an API of this name already",
    "api_alike": "an API with another name says nearly the same",
    "api_of_evaluation": "the evaluation has an API of this name",
    "api_undescribed": "the API, or one of its parameters, has no description",
    "parameter_name": "a parameter or an output has a name that cannot be written in a call",
    "parameter_repeated": "two parameters or two outputs have the same name",
    "value_type": "a parameter or an output has no type that is known",
    "api_without_output": "the API declares no output, so no result can be checked",
    "domain_full": "the domain has as many APIs as it may have",
    # queries
    "query_length": "what the person says is too short or too long",
    "query_placeholder": "what the person says has a placeholder in the place of a value",
    "query_not_spoken": "the words tell of a person in the place of being the person's own",
    "query_names_api": "what the person says names the API that is to be found",
    "query_api_unknown": "the query is for an API that was not offered",
    "query_number_of_apis": "the number of APIs does not fit the ability",
    "query_repeated": "what the person says is, but for a few words, there already",
    "query_alike": "what the person says means nearly the same as something that there is already",
    "query_of_evaluation": "what the person says is too near to an utterance of the evaluation",
    "api_full": "an API has as many dialogues as it may have",
    # calls and results
    "no_call": "no API is called",
    "call_of_unknown_api": "an API is called that does not exist",
    "call_not_offered": "an API is called that the query is not for",
    "argument_missing": "a call lacks a required parameter",
    "argument_undeclared": "a call has a parameter that the API does not declare",
    "argument_type": "an argument is not of the declared type",
    "argument_placeholder": "an argument is a placeholder, or blank",
    "call_unreadable": "the evaluator's parser does not read the call back as it is",
    "call_unreadable_as_released": "the released evaluator does not read the call back as it is",
    "call_repeated": "the same call is made twice",
    "result_missing": "a call has no result",
    "output_missing": "a result lacks a declared output",
    "output_undeclared": "a result has an output that the API does not declare",
    "output_type": "an output is not of the declared type",
    "output_placeholder": "a result has a placeholder in the place of a value",
    # the ability
    "api_unused": "an API that the query is for is never called",
    "search_not_wanted": "there is a search though the APIs are given",
    "search_missing": "an API is called that was not searched for before",
    "search_repeated": "there are more searches than APIs to find, or one that leads to no call",
    "search_without_keywords": "a search has no keywords, or other arguments",
    "search_finds_another": "the keywords do not find the API that is called next",
    "too_few_calls": "the ability needs more calls",
    "too_many_calls": "the ability allows fewer calls",
    "too_many_turns": "the ability allows fewer turns of the user, or there are too many",
    # words
    "first_words": "the dialogue does not begin with the query",
    "reply_blank": "a reply is blank",
    "reply_length": "a reply is too long",
    "reply_is_call": "a reply holds a call instead of words",
    "reply_placeholder": "a reply has a placeholder in the place of a value",
    "reply_currency": "a reply names a currency that nothing before it names",
    "turn_of_another": "somebody's words go on with a turn of somebody else",
    "reply_repeats_user": "a reply only repeats what the user said",
    "dialogue_of_evaluation": "an utterance or a reply is one of the evaluation's",
    # the tester
    "verdict_copied": "the tester only repeats words of its prompt",
    "arguments_not_grounded": "an argument comes neither from the user nor from a result",
    "reply_not_faithful": "the reply says what the results do not",
    "query_not_natural": "no person would ask so",
    "not_served": "the calls do not serve what the user asks for",
    "result_not_plausible": "a result is not what such an API would give",
}  # fmt: skip
Principle = Literal[
    "arguments_not_grounded", "reply_not_faithful", "query_not_natural", "not_served", "result_not_plausible",
]  # fmt: skip
PRINCIPLES: tuple[Principle, ...] = get_args(Principle)
"""Faults that only a reader can tell: the tester's part."""
