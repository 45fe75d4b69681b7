"""The screen *Compare*: published releases, two at a time; page_* modules draw, the others are pure."""
