"""Looking things up, and working on texts, pictures and sound."""

import re
from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.languages import language_code
from apigap.benchmarks.apibank.scoring.rules import EXACT, by, equal, lowered, or_error, rule, stripped
from apigap.benchmarks.apibank.search import best_documents
from apigap.benchmarks.apibank.times import padded, parse
from apigap.benchmarks.apibank.tools.calculator import calculator
from apigap.benchmarks.apibank.tools.pools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import World

_ADDRESS = re.compile(r"(?:[a-z0-9]{2,}+|[a-z0-9]++[._][a-z0-9]++)@\w++\.\w{2,3}")


def _is_today(new: Any, truth: Any) -> bool:
    return new["output"] is not None and new["exception"] is None and new["input"] is None


@DIALOGUE.add("GetToday", "", output="date", rule=_is_today, silent=True)
def get_today(world: World) -> Any:
    """Tells today's date."""
    return "2023-03-31"


for _pool in (DIALOGUE, PLANNING):
    _pool.add("Calculator", "formula", output="result", rule=rule({"formula": by(lambda text: text.replace(" ", ""))}))(
        calculator
    )


def _day_of_year(date: str) -> str:
    text = padded(date)
    for pattern in ("%Y-%m-%d", "%m-%d"):
        try:
            return parse(text, pattern).strftime("%m-%d")
        except ValueError as error:
            reason = error
    raise reason


@DIALOGUE.add(
    "QueryHistoryToday", "date", output="history", database="History", rule=rule({"date": by(or_error(_day_of_year))})
)
def query_history_today(world: World, date: str) -> Any:
    """Tells what happened on this day in other years."""
    day = _day_of_year(date)
    if day not in world.rows:
        raise ApiError("The date is not in the database.")
    fields = ("Title", "Date", "Description")
    return [", ".join(f"{field}: {event[field].strip()}" for field in fields) for event in world.rows[day]]


_LOOKED_UP = rule(api_name=True)


@DIALOGUE.add("Wiki", "keyword", output="results", database="Wiki", rule=_LOOKED_UP)
def wiki(world: World, keyword: str) -> Any:
    """Looks a subject up in an encyclopedia."""
    entry = world.rows.get(_keyword(keyword))
    if entry is None:
        raise ApiError("Keyword not found.")
    return {"url": entry["url"], "summary": entry["summary"]}


@DIALOGUE.add("Dictionary", "keyword", output="results", rule=_LOOKED_UP)
def dictionary(world: World, keyword: str) -> Any:
    """Tells what a word means."""
    return world.system.outside.define(_keyword(keyword))


def _keyword(text: str) -> str:
    return text.replace("_", " ").strip().lower()


def _found(new: Any, truth: Any) -> bool:
    if new["api_name"] != truth["api_name"] or new["exception"] != truth["exception"]:
        return False
    ours, theirs = (
        sorted(result["output"] or [], key=lambda row: row["title"] + row["abstract"], reverse=True)
        for result in (new, truth)
    )
    return ours == theirs and (new["output"] is None) == (truth["output"] is None)


@DIALOGUE.add("SearchEngine", "keyword", output="results", database="SearchEngine", rule=_found)
def search_engine(world: World, keyword: str) -> Any:
    """Finds documents about something."""
    return best_documents(world.rows, keyword.lower().strip())


@DIALOGUE.add("ImageCaption", "url", output="caption", database="ImageCaptioning", rule=EXACT)
def image_caption(world: World, url: str) -> Any:
    """Tells what a picture shows."""
    address = url.strip()
    if not address.endswith((".jpg", ".jpeg", ".png")):
        raise ApiError("The url should end with .jpg, .jpeg or .png.")
    for row in world.rows:
        if row["url"] == address:
            return row["caption"]
    raise ApiError("The image of this url failed to be processed.")


@DIALOGUE.add("SpeechRecognition", "url", output="transcript", database="SpeechRecognition", rule=EXACT)
def speech_recognition(world: World, url: str) -> Any:
    """Writes down what is said in a recording."""
    address = url.strip()
    if not address.endswith(".wav"):
        raise ApiError("The url should end with .wav.")
    if address not in world.rows:
        raise ApiError("The audio of this url failed to be processed.")
    return world.rows[address]


@DIALOGUE.add(
    "DocumentQA", "url question", output="answer", database="QuestionAnswering",
    rule=rule({"url": by(stripped), "question": by(stripped)}),
)  # fmt: skip
def document_qa(world: World, url: str, question: str) -> Any:
    """Answers a question about a document."""
    address, asked = url.strip(), question.strip()
    if not asked:
        raise ApiError("The question is empty.")
    if address not in world.rows:
        raise ApiError("The document of this url failed to be processed.")
    return "The question is too difficult to answer."


@DIALOGUE.add(
    "Translate",
    "src src_lang? tgt_lang?",
    output="translated_text",
    rule=rule({"src": equal}, api_name=True),
    given_only=True,
)
def translate(world: World, src: str, src_lang: str | None, tgt_lang: str | None) -> Any:
    """Translates a text."""
    source = None if src_lang is None else language_code(src_lang)
    target = language_code(tgt_lang or "en")
    if target is None or (src_lang is not None and source is None):
        raise ApiError("Language not supported.")
    return world.system.outside.translate(src, source, target)


@DIALOGUE.add(
    "SendEmail", "receiver subject content",
    rule=rule({"receiver": by(lowered), "subject": by(stripped), "content": by(stripped)}),
)  # fmt: skip
def send_email(world: World, receiver: str, subject: str, content: str) -> Any:
    """Sends a mail; nothing leaves this machine."""
    if not _ADDRESS.fullmatch(receiver.strip()):
        raise ApiError("Email address of the receiver is invalid.")
    if not subject.strip():
        raise ApiError("Subject cannot be empty.")
    if not content.strip():
        raise ApiError("Content cannot be empty.")
    return "success"


def _search_tools(world: World, keywords: str) -> Any:
    """Finds the API for a job by its description."""
    return world.system.outside.find_tool(keywords)


for _pool in (DIALOGUE, PLANNING):
    _pool.add("ToolSearcher", "keywords", output="best_matchs", rule=rule())(_search_tools)
