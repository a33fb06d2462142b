"""The report as one HTML page that needs nothing else: no network, no script, no further file."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from longhu.report.blocks import Report, plain

TEMPLATE = "page.html.jinja"


def page(report: Report) -> str:
    """All texts are escaped; the plots are SVG that we have written, with texts that are escaped already."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["drawn"] = Markup
    return environment.get_template(TEMPLATE).render(report=plain(report))
