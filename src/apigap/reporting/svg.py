"""A matplotlib figure as inline SVG that follows the page: its colours, its font, no style attributes."""

import importlib
import io
import re
from html import escape
from pathlib import Path
from typing import Any

from apigap.records.extras import from_extra

Drawing = Any  # matplotlib's own annotations are too partial for a strict check

_SETTINGS = {"svg.hashsalt": "apigap", "svg.fonttype": "none", "text.parse_math": False, "font.size": 11}
_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_KEPT = re.compile(r"^(?:fill|stroke|opacity|text-anchor|font-size|font-weight)")
# Older releases of matplotlib write the shorthand: "700 10px 'DejaVu Sans', ...".
_SHORTHAND = re.compile(r"^(?P<weight>bold |[1-9]00 )?(?P<size>[\d.]+px)")


def new_figure(width: float, height: float) -> Drawing:
    """An empty figure of `width` x `height` inches, transparent, outside pyplot's global state.

    Raises:
        InfrastructureError: when matplotlib is not installed.
    """
    with from_extra("report", "the figures of a report"):
        from matplotlib.figure import Figure
    return Figure(figsize=(width, height), layout="constrained", facecolor="none")


def inline_svg(figure: Drawing, colours: dict[str, str], label: str) -> str:
    """`figure` as an `<svg>` element; the same figure gives the same bytes.

    `colours` maps the colours that were drawn with ("#010101") to what the page shall use ("var(--ink)"),
    `label` is what a screen reader says.
    """
    matplotlib: Drawing = importlib.import_module("matplotlib")
    out = io.StringIO()
    for artist in figure.findobj():
        artist.set_clip_on(False)  # clip paths have ids, and two figures of a page would share them
    with matplotlib.rc_context(_SETTINGS):
        figure.savefig(out, format="svg", metadata=_METADATA)
    figure.set_layout_engine(None)  # what was laid out stays so, and is drawn once each time
    text = out.getvalue()
    text = text[text.index("<svg") :]
    for noise in (r"<!--.*?-->", r"<metadata>.*?</metadata>", r"<style[^>]*>.*?</style>"):
        text = re.sub(noise, "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r' style="([^"]*)"', _as_attributes, text)
    for drawn, shown in colours.items():
        text = text.replace(drawn, shown)
    box = re.search(r'viewBox="([^"]*)"', text)
    head = f'<svg viewBox="{box[1] if box else ""}" role="img" aria-label="{escape(label)}">'
    return re.sub(r">\s+<", "><", head + text[text.index(">") + 1 :]).strip()


def save_figure(figure: Drawing, colours: dict[str, str], stem: Path) -> list[Path]:
    """`figure` as `stem`.svg and `stem`.png (160 dots an inch) on white; the same figure gives the same bytes.

    `colours` maps the colours that were drawn with to those to show.
    """
    matplotlib: Drawing = importlib.import_module("matplotlib")
    to_hex: Drawing = importlib.import_module("matplotlib.colors").to_hex
    for artist in figure.findobj():
        for part in ("color", "facecolor", "edgecolor"):
            getter = getattr(artist, f"get_{part}", None)
            drawn = getter() if getter else None
            if isinstance(drawn, str | tuple) and to_hex(drawn) in colours:
                getattr(artist, f"set_{part}")(colours[to_hex(drawn)])
    paths = [stem.with_suffix(".svg"), stem.with_suffix(".png")]
    with matplotlib.rc_context(_SETTINGS):
        figure.savefig(paths[0], format="svg", metadata=_METADATA, facecolor="white")
        figure.set_layout_engine(None)
        figure.savefig(paths[1], format="png", dpi=160, facecolor="white", metadata={"Software": None})
    return paths


def _as_attributes(style: re.Match[str]) -> str:
    """Style declarations as presentation attributes: a page that forbids inline styles still shows them."""
    kept: list[str] = []
    for declaration in style[1].replace("&quot;", "'").split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font" and (font := _SHORTHAND.match(value)):
            kept.append(f' font-size="{font["size"]}" font-weight="{(font["weight"] or "400").strip()}"')
        elif _KEPT.match(name):
            kept.append(f' {name}="{value}"')
    return "".join(kept)
