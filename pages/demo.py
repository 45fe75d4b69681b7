"""Demo: five scenes for people without a technical background."""

from dpviz.ui import demo_parts

demo_parts.page()
