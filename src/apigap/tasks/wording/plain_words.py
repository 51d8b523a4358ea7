"""Words that documentation uses, and plain ones in their place."""

import re


def _end(pattern: str) -> str:
    """The end of a word's pattern: no letter follows, unless the pattern says itself how it ends."""
    return "" if pattern.endswith((")", " ", ")?")) else r"(?![\w`-])"


_GIVING_WORDS = """
    return get compute calculate find give yield generate create make build construct produce obtain determine list
    provide retrieve represent define take identify initialize initialise computing
"""
GIVING = frozenset(_GIVING_WORDS.split())
"""Verbs of which only the object is of interest: what is returned, computed or found."""
_DEEDS = """
    convert:turn transform:turn remove:take_out drop:leave_out delete:take_out split:divide partition:divide add:add
    replace:replace append:append insert:put_in sort:sort merge:bring_together combine:bring_together filter:filter
    join:bring_together concatenate:put_together select:pick_out choose:pick_out pick:pick_out extract:take_out
    count:count sum:add_up round:round shift:shift rotate:turn reverse:turn_round group:group fill:fill fit:fit
    interpolate:interpolate solve:solve minimize:minimise maximize:maximise approximate:approximate
    integrate:integrate differentiate:differentiate normalize:normalise scale:scale clip:cut_off limit:limit
    parse:read read:read write:write format:write encode:encode decode:decode align:line_up pad:pad truncate:cut_off
    wrap:wrap expand:expand flatten:flatten stack:stack repeat:repeat swap:exchange move:move map:map label:mark
    assign:assign estimate:estimate simulate:simulate sample:draw measure:measure compare:compare search:search
    collect:gather aggregate:sum_up change:change update:bring_up_to_date increment:raise reduce:bring_down
    simplify:simplify smooth:smooth connect:connect cut:cut divide:divide multiply:multiply invert:invert
    project:project rank:rank cluster:group position:place arrange:arrange rescale:scale translate:shift
    cast:turn keep:keep mark:mark break:break chunk:divide bin:sort normalise:normalise evaluate:evaluate
    apply:apply interleave:mix set:set offset:shift repair:mend fix:mend clean:clean trim:cut_off densify:densify
    decompose:divide classify:classify unnest:unpack explode:unpack associate:connect
    unwrap:unwrap resample:resample roll:roll transpose:transpose subtract:take_away validate:check show:show
    execute:run serialize:turn deserialize:turn batch:cut_up interpret:take unpivot:turn_round reorder:put_in_order
    reshape:lay_out fold:fold render:write check:check call:call
"""
DEEDS = {verb: deed.replace("_", " ") for verb, deed in (pair.split(":") for pair in _DEEDS.split())}
"""Verbs that say what is done, with plain ones."""
_LIKE_WORDS = """
    mean:average total:whole start:beginning rolling:moving unique:distinct sum:total cumulative:running
    center:middle sort:put_in_order sorted:ordered replace:exchange width:breadth minimum:least maximum:greatest
"""
LIKE = {word: like.replace("_", " ") for word, like in (pair.split(":") for pair in _LIKE_WORDS.split())}
"""Words that names of APIs have, with others that say the same."""
_ARTICLE_WORDS = "a an the all both every each any some one two three several other its their how what"
ARTICLES = frozenset(_ARTICLE_WORDS.split())
_NO_VALUE_WORDS = "whether true false if none self"
NO_VALUE = frozenset(_NO_VALUE_WORDS.split())
"""With these begins what is a yes or no, or the object itself."""
_ABOUT_CODE_WORDS = """
    version wrapper function helper routine utility method implementation class decorator interface base alias object
    generator iterator subclass mixin callable instance convenience functor handle namespace module tool context
"""
ABOUT_CODE = frozenset(_ABOUT_CODE_WORDS.split())
"""Heads of phrases that say what the API is, and not what it is for."""
_GIVEN = "(?:given|specified|provided|input|supplied|desired) (?!to |of |in |and |or )(?=[a-z])"
_OTHERS = (
    (f"(?:the|a|an) {_GIVEN}", "the "), (_GIVEN, ""), ("optional (?=[a-z])", ""), ("for all (?:the )?", "for all the "),
    ("of all(?! the| of)", "of all the"),
    ("maximum (?!of )(?=[a-z])", "greatest "), ("minimum (?!of )(?=[a-z])", "least "),
    ("multiple (?!of )", "several "), ("first occurrence of", "first place of"), ("occurrence of", "instance of"),
    ("a subset of (?=the|all)", "some of "), ("a subset of (?=\\w+s )", "some of the "),
    ("that results from", "that comes from"), ("suitable for", "fit for"), ("a sequence of", "a series of"),
    ("rows and columns", "rows and the columns"), ("between all(?! the)", "between all the"),
    ("non-null values", "values that are not null"), ("seen so far", "up to there"), ("each of", "every one of"),
    ("such that", "so that"), ("based on", "by"), ("according to", "following"), ("using", "by means of"),
    ("with respect to", "relative to"), ("via", "through"), ("each", "every"), ("iff", "if"), ("elements", "items"),
    ("element", "item"), ("smallest", "least"), ("largest", "greatest"), ("appearances?", "occurrence"),
    ("occurrences", "cases"), ("which are", "that are"),
    ("which is", "that is"), ("equal to", "the same as"), ("containing", "with"), ("consisting of", "made of"),
    ("within", "inside"), ("computed", "worked out"), ("compute", "work out"), ("starting at", "beginning with"),
    ("starting from", "beginning with"), ("in-place", "in its place"), ("maximal", "greatest possible"),
    ("minimal", "least possible"), ("contains", "holds"), ("contain", "hold"), ("whose", "of which the"),
    ("specifies", "says"), ("returns", "gives"), ("returned", "given back"), ("corresponding to", "that belong to"),
    ("represented by", "that stand in"), ("sliding", "moving"), ("until", "up to"),
    ("as well as", "and"), ("similar to", "like"),
    ("number of", "count of"), ("is used to", "serves to"), ("in order to", "to"), ("must be", "has to be"),
    ("should be", "is to be"), ("determine", "decide"), ("determines", "decides"), ("calculated", "worked out"),
    ("calculate", "work out"), ("(?:lower|less|smaller) than", "below"), ("(?:greater|larger|more) than", "above"),
)  # fmt: skip
WORDS = tuple((re.compile(rf"(?<![\w`-]){old}{_end(old)}"), new) for old, new in _OTHERS)
"""Plain words in the place of those of documentation, in this order."""
