"""Colours of maps and charts in light and dark."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.drawing.looks import LOOKS

PROTECTED = "#0072B2"  # private centers: diamonds
EXACT = "#16202A"  # non-private centers: squares
ADDED = "#D55E00"
SECOND = "#B0367A"  # release B, density
SITE = "#7A3E9D"


@dataclass(frozen=True, kw_only=True)
class Theme:
    """One appearance of the screens."""

    name: str
    style: str  # address of the map style, same origin
    land: str
    water: str
    text: str
    faint: str  # text of lesser weight, still 4.5 : 1 on the ground
    grid: str
    dot: str
    halo: str
    line: str
    coin: str
    empty: str


LIGHT = Theme(
    name="light",
    style="/app/static/style.json",
    land=LOOKS["light"].land,
    water=LOOKS["light"].water,
    text="#16202A",
    faint="#51606E",
    grid="#DDE3E9",
    dot="#111111",
    halo="#FFFFFF",
    line="#4A4A4A",
    coin="#8A97A3",
    empty="#8A97A3",
)
DARK = Theme(
    name="dark",
    style="/app/static/style-dark.json",
    land=LOOKS["dark"].land,
    water=LOOKS["dark"].water,
    text="#E8EDF2",
    faint="#A9B6C2",
    grid="#313C47",
    dot="#F2F2F2",
    halo="#10161C",
    line="#D0D6DC",
    coin="#8A97A3",
    empty="#75828E",
)


def theme_named(name: str | None) -> Theme:
    """Light unless dark is asked for."""
    return DARK if name == "dark" else LIGHT


def rgb(colour: str, alpha: int = 255) -> list[int]:
    """`#RRGGBB` as the list that layers take."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)] + [alpha]
