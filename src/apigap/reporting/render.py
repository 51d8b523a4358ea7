"""The report as one HTML file: no network, no external resource, and nothing that a model wrote can act."""

import base64
import hashlib
from importlib.resources import files

from apigap.reporting.advice_model import AdviceReport
from apigap.reporting.advice_page import build_advice_page
from apigap.reporting.analysis_page import AnalysisPage
from apigap.reporting.closing_model import ClosingReport
from apigap.reporting.closing_page import build_closing_page
from apigap.reporting.model import AuditReport
from apigap.reporting.page import build_page
from apigap.reporting.text import percent, signed_points, visible
from apigap.reporting.tools_model import ToolReport
from apigap.reporting.tools_page import build_tools_page

_TEMPLATES = files("apigap.reporting") / "templates"


def render_report(report: AuditReport) -> str:
    """The whole page. The same report gives the same bytes (with the same version of matplotlib).

    Raises:
        InfrastructureError: when matplotlib is not installed.
    """
    return _rendered("report.html.j2", build_page(report), _read("report.js"))


def render_analysis(page: AnalysisPage) -> str:
    """An analysis as one page, drawn like a report; it needs no script."""
    return _rendered("analysis.html.j2", page, "")


def render_advice(report: AdviceReport) -> str:
    """The page of advice on documentation; the same report gives the same bytes."""
    return _rendered("advice.html.j2", build_advice_page(report), _read("report.js"))


def render_closing(report: ClosingReport) -> str:
    """The page on a gap that was closed; the same report gives the same bytes."""
    return _rendered("closing.html.j2", build_closing_page(report), _read("report.js"))


def render_tools(report: ToolReport) -> str:
    """The page on a user's own tools; the same report gives the same bytes."""
    return _rendered("tools.html.j2", build_tools_page(report), _read("report.js"))


def _rendered(template: str, page: object, script: str) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("apigap.reporting"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_visible_text,
    )
    environment.filters.update(percent=percent, points=signed_points)  # pyright: ignore[reportUnknownMemberType]
    style = _read("report.css")
    return environment.get_template(template).render(
        page=page,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        policy=_policy(style, script),
    )


def _visible_text(value: object) -> object:
    """Every text that reaches the page passes here; markup of our own is left as it is."""
    return visible(value) if type(value) is str else value


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")
