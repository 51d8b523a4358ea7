"""Questions in BFCL's format that were made up for this project, and answers to each with the verdict by its rules."""

import json
from pathlib import Path
from typing import Any, NamedTuple


class Question(NamedTuple):
    """A question of one category, its functions and ground truth, and answers with what each must get."""

    category: str
    text: str
    functions: list[dict[str, Any]]
    truth: list[dict[str, Any]]
    answers: list[tuple[str, bool]]


def function(name: str, required: str, **properties: Any) -> dict[str, Any]:
    """A function as BFCL describes it; types alone stand for their property."""
    told = {key: {"type": one} if isinstance(one, str) else one for key, one in properties.items()}
    parameters = {"type": "dict", "properties": told, "required": required.split()}
    return {"name": name, "description": name, "parameters": parameters}


def listed(kind: str, inner: str) -> dict[str, Any]:
    """A property that is a list."""
    return {"type": kind, "items": {"type": inner}}


def tag(name: str, **arguments: Any) -> str:
    """A call in a tag, as JSON."""
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


MARKET = function("market.price", "good", good="string", day="string", unit="string")
TILES = function("tiles", "width", width="float", rows="integer", glazed="boolean")
ROUTE = function("route", "stops", stops=listed("array", "string"), metres=listed("array", "integer"))
POINT = function("mark", "at", at=listed("tuple", "float"), label="any")
OVEN = function("bake", "dish", dish="dict", minutes="integer")
ORDER = function("order", "items", items=listed("array", "dict"))
BELL, GATE = function("ring", "times", times="integer"), function("gate", "open", open="boolean", side="string")
JAVA = function(
    "Store.put", "key", key="String", size="integer", limit="long", ratio="float", weight="double", keep="boolean"
)
JAVA_LISTS = function(
    "Store.fill", "names", names=listed("ArrayList", "String"), sizes=listed("Array", "integer"), options="HashMap"
)
SCRIPT = function("draw", "shape", shape="String", sides="integer", scale="float", big="Bigint", solid="Boolean")
SCRIPT_LISTS = function(
    "plot", "points", points=listed("array", "integer"), style="dict", names=listed("array", "String")
)

QUESTIONS = [
    Question("simple_python", "What did pears cost at the market on 3 May 2031?", [MARKET],
        [{"market.price": {"good": ["pears", "pear"], "day": ["May 3, 2031", "3 May 2031"], "unit": ["", "kilo"]}}], [
        ("[market.price(good='pears', day='May 3, 2031')]", True),
        ("[market.price(good='PEAR', day='may 3 2031')]", True),
        ("[market.price(good='pe-ars', day='3/May_2031.')]", True),
        ("[market.price(good='pears', day='May 3, 2031', unit='kilo')]", True),
        ("[market.price(good='pears', day='May 3, 2031', unit='')]", True),
        (tag("market_price", good="pears", day="3 May 2031"), True),
        ("[market.price(good='pears', day='May 3, 2031', unit='pound')]", False),
        ("[market.price(good='pears', day='May 4, 2031')]", False),
        ("[market.price(good='pears')]", False),
        ("[market.price(day='May 3, 2031')]", False),
        ("[market.price(good='pears', day='May 3, 2031', shop='north')]", False),
        ("[market_prices(good='pears', day='May 3, 2031')]", False),
        ("[market.price(good=['pears'], day='May 3, 2031')]", False),
        ("[market.price(good='pears', day='May 3, 2031'), market.price(good='pears', day='May 3, 2031')]", False),
        ("They cost three crowns.", False),
        ("", False),
    ]),
    Question("simple", "How many tiles of 20 cm, 5 rows, not glazed?", [TILES],
        [{"tiles": {"width": [20.0], "rows": [5], "glazed": ["", False]}}], [
        ("[tiles(width=20, rows=5)]", True),
        ("[tiles(width=20.0, rows=5, glazed=False)]", True),
        ("[tiles(width='20', rows=5)]", False),
        ("[tiles(width=20.5, rows=5)]", False),
        ("[tiles(width=20, rows=5.0)]", False),
        ("[tiles(width=20, rows=5, glazed=True)]", False),
        ("[tiles(width=20, rows=5, glazed=0)]", False),
        ("[tiles(width=True, rows=5)]", False),
        ("[tiles(width=20, rows=5, glazed='')]", False),
    ]),
    Question("live_simple", "Route from Aal by Bek to Cul, legs 300 and 450 metres", [ROUTE],
        [{"route": {"stops": [["Aal", "Bek", "Cul"]], "metres": [[300, 450], ""]}}], [
        ("[route(stops=['Aal', 'Bek', 'Cul'], metres=[300, 450])]", True),
        ("[route(stops=['aal', 'b-ek', 'CUL'])]", True),
        ("[route(stops=['Aal', 'Bek', 'Cul'], metres=[])]", True),
        ("[route(stops=['Bek', 'Aal', 'Cul'])]", False),
        ("[route(stops=['Aal', 'Cul'])]", False),
        ("[route(stops='Aal, Bek, Cul')]", False),
        ("[route(stops=['Aal', 'Bek', 'Cul'], metres=['300', '450'])]", False),
        ("[route(stops=('Aal', 'Bek', 'Cul'))]", True),
    ]),
    Question("live_simple", "Mark the point 1.5, 2 as A", [POINT],
        [{"mark": {"at": [[1.5, 2.0]], "label": ["", "A", 7]}}], [
        ("[mark(at=(1.5, 2.0))]", True),
        ("[mark(at=[1.5, 2.0], label='a')]", True),
        ("[mark(at=[1.5, 2.5])]", False),
        ("[mark(at=[1.5, '2.0'])]", False),
        ("[mark(at=[1.5, 2.0], label=7)]", False),
    ]),
    Question("live_simple", "Mark the point that the variable `here` holds", [POINT], [{"mark": {"at": ["here"]}}], [
        ("[mark(at='here')]", True),
        ("[mark(at='HERE')]", False),
        ("[mark(at=[1.5, 2.0])]", False),
    ]),
    Question("live_multiple", "Bake the pie with apples for 40 minutes", [OVEN, BELL],
        [{"bake": {
            "dish": [{"kind": ["pie"], "fruit": ["apples", "apple"], "size": ["", "small"]}], "minutes": [40]
        }}], [
        ("[bake(dish={'kind': 'pie', 'fruit': 'Apples'}, minutes=40)]", True),
        ("[bake(dish={'kind': 'pie', 'fruit': 'apple', 'size': 'small'}, minutes=40)]", True),
        ("[bake(dish={'kind': 'pie'}, minutes=40)]", False),
        ("[bake(dish={'kind': 'pie', 'fruit': 'apples', 'heat': 'low'}, minutes=40)]", False),
        ("[bake(dish={'kind': 'pie', 'fruit': 'plums'}, minutes=40)]", False),
        ("[bake(dish='apple pie', minutes=40)]", False),
        ("[ring(times=40)]", False),
    ]),
    Question("multiple", "Order two cups and one jug", [ORDER, GATE],
        [{"order": {"items": [[{"what": ["cup", "cups"], "count": [2]}, {"what": ["jug"], "count": [1]}]]}}], [
        ("[order(items=[{'what': 'cups', 'count': 2}, {'what': 'jug', 'count': 1}])]", True),
        ("[order(items=[{'what': 'jug', 'count': 1}, {'what': 'cups', 'count': 2}])]", False),
        ("[order(items=[{'what': 'cups', 'count': 2}])]", False),
        ("[order(items=[{'what': 'cups', 'count': '2'}, {'what': 'jug', 'count': 1}])]", False),
        ("[order(items=['cup', 'cup', 'jug'])]", False),
    ]),
    Question("parallel", "Ring once, then three times", [BELL],
        [{"ring": {"times": [1]}}, {"ring": {"times": [3]}}], [
        ("[ring(times=1), ring(times=3)]", True),
        ("[ring(times=3), ring(times=1)]", True),
        ("[ring(times=1)]", False),
        ("[ring(times=1), ring(times=1)]", False),
        ("[ring(times=1), ring(times=3), ring(times=3)]", False),
        (f"{tag('ring', times=1)}\n{tag('ring', times=3)}", True),
    ]),
    Question("parallel_multiple", "Open the north gate and ring twice", [BELL, GATE],
        [{"gate": {"open": [True], "side": ["north", "N"]}}, {"ring": {"times": [2]}}], [
        ("[ring(times=2), gate(open=True, side='north')]", True),
        ("[gate(open=true, side='n'), ring(times=2)]", True),
        ("[gate(open='true', side='north'), ring(times=2)]", False),
        ("[gate(open=1, side='north'), ring(times=2)]", False),
        ("[gate(open=True), ring(times=2)]", False),
    ]),
    Question("irrelevance", "Who painted the ceiling?", [BELL, GATE], [], [
        ("None of the functions can answer that.", True),
        ("[]", True),
        ("[ring(times=1)]", False),
        ("[ring(times=", False),
        ("", False),
    ]),
    Question("live_relevance", "Something with the bell, please", [BELL, GATE], [], [
        ("[ring(times=17)]", True),
        ("[toll(times=17)]", False),
        ("I would rather not do that.", False),
    ]),
    Question("simple_java", "Put the key depot, 12 pieces", [JAVA],
        [{"Store.put": {
            "key": ["depot"], "size": [12], "limit": [900], "ratio": [0.5, ""], "weight": ["", 2.25], "keep": [True, ""]
        }}], [
        (tag("Store.put", key="depot", size="12", limit="900L"), True),
        (tag("Store_put", key="Depot", size="12", limit="900l", ratio="0.5f", weight="2.25", keep="true"), True),
        (tag("Store.put", key="depot", size=12, limit="900L"), False),
        (tag("Store.put", key="depot", size="12", limit="900"), False),
        (tag("Store.put", key="depot", size="12", limit="900L", ratio="0.5"), False),
        (tag("Store.put", key="depot", size="12", limit="900L", keep="True"), False),
        (tag("Store.put", key="depot", size="13", limit="900L"), False),
    ]),
    Question("java", "Fill the store", [JAVA_LISTS],
        [{"Store.fill": {
            "names": [["a, b", "c"]], "sizes": [[1, 2], ""], "options": [{"mode": ["fast"], "tries": [3]}, ""]
        }}], [
        (tag("Store.fill", names='new ArrayList<>(Arrays.asList("a, b", "c"))', sizes="new int[]{1, 2}"), True),
        (tag("Store.fill", names='new ArrayList<String>() {{ add("a, b"); add("c"); }}',
             options='new HashMap<String, Object>() {{ put("mode", "fast"); put("tries", 3); }}'), True),
        (tag("Store.fill", names='new ArrayList<>(Arrays.asList("c", "a, b"))'), False),
        (tag("Store.fill", names="[a, c]"), False),
        (tag("Store.fill", names='new ArrayList<>(Arrays.asList("a, b", "c"))', options="new HashMap<>()"), False),
    ]),
    Question("simple_javascript", "Draw a solid hexagon", [SCRIPT],
        [{"draw": {"shape": ["hexagon"], "sides": [6], "scale": [1.5, ""], "big": [10, ""], "solid": [True]}}], [
        (tag("draw", shape="'hexagon'", sides="6", solid="true"), True),
        (tag("draw", shape="hexagon", sides="6", scale="1.5", big="10n", solid="true"), True),
        (tag("draw", shape="hexagon", sides="6", solid=True), False),
        (tag("draw", shape="hexagon", sides="6.0", solid="true"), False),
        (tag("draw", shape="hexagon", sides="6", big="10", solid="true"), False),
    ]),
    Question("javascript", "Plot the points", [SCRIPT_LISTS],
        [{"plot": {
            "points": [[1, 2, 3]], "style": [{"colour": ["red"], "width": [2]}, ""], "names": [["a", "b"], ""]
        }}], [
        (tag("plot", points="[1, 2, 3]"), True),
        (tag("plot", points="new Array(1, 2, 3)", style="{colour: 'Red', width: 2}", names="['a', \"b\"]"), True),
        (tag("plot", points="[1, 2]"), False),
        (tag("plot", points="[1, 2, 3]", style="{colour: 'red'}"), False),
        (tag("plot", points="1, 2, 3"), False),
    ]),
]  # fmt: skip


def write_folder(folder: Path) -> Path:
    """Write all questions as BFCL lays its files out: a file per category, possible answers in a folder beside."""
    (folder / "possible_answer").mkdir(parents=True)
    for category in dict.fromkeys(question.category for question in QUESTIONS):
        own = [(number, one) for number, one in enumerate(QUESTIONS) if one.category == category]
        name = f"BFCL_v4_{category}.json"
        turns = [[{"role": "user", "content": one.text}] for _, one in own]
        rows = [
            {"id": task_id(number), "question": [turn], "function": one.functions}
            for (number, one), turn in zip(own, turns, strict=True)
        ]
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        truths = [{"id": task_id(number), "ground_truth": one.truth} for number, one in own if one.truth]
        if truths:
            (folder / "possible_answer" / name).write_text("".join(json.dumps(row) + "\n" for row in truths))
    (folder / "BFCL_v4_multi_turn_base.json").write_text('{"id": "several turns are not read"}\n')
    return folder


def task_id(number: int) -> str:
    """The id of a question."""
    return f"{QUESTIONS[number].category}_{number}"
