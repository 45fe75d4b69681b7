"""The four styles of a picture (page, dark page, bright room, paper) and their shades of density."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpviz.errors import InputError

# Of each shade: sparse ground lets the map through, dense ground does not. All differ: the app tells shades by them.
SHADE_OPACITY: Final = (0.1, 0.3, 0.46, 0.6, 0.72, 0.82, 0.9)


@dataclass(frozen=True, kw_only=True)
class Look:
    """Colours and weights of one appearance."""

    name: str
    paper: str
    panel: str  # behind the legend
    ink: str
    faint: str
    rule: str
    land: str
    sea: str
    water: str
    green: str
    edge: str  # the line around the map
    streets: dict[str, tuple[str, float]]  # colour, and width in metres
    cells: tuple[str, ...]  # few records to many
    center: str
    center_ink: str
    name_ink: str
    name_halo: str
    letters: float = 1.0  # how much larger words and lines are


_BLUES = ("#8AADD6", "#8AB0DC", "#74A5D6", "#4F8FC9", "#2A6CB0", "#114B8C", "#08306B")
_LIGHT = Look(
    name="light",
    paper="#FFFFFF",
    panel="#FFFFFF",
    ink="#16202A",
    faint="#51606E",
    rule="#D5DBE1",
    land="#F5F3EE",
    sea="#D0E2EC",
    water="#D0E2EC",
    green="#E1EBD8",
    edge="#C3CAD1",
    streets={
        "stream": ("#D0E2EC", 8),
        "rail": ("#CFCFCD", 4),
        "street": ("#FFFFFF", 7),
        "road": ("#FFFFFF", 11),
        "main road": ("#FFFFFF", 15),
        "motorway": ("#E8DCC0", 20),
    },
    cells=_BLUES,
    center="#0B5FA5",
    center_ink="#FFFFFF",
    name_ink="#37424D",
    name_halo="#FFFFFF",
)
_DARK = Look(
    name="dark",
    paper="#12161B",
    panel="#12161B",
    ink="#EDF1F5",
    faint="#A9B6C2",
    rule="#313C47",
    land="#23282E",
    sea="#152330",
    water="#152330",
    green="#27332C",
    edge="#3C4752",
    streets={
        "stream": ("#152330", 8),
        "rail": ("#343B43", 4),
        "street": ("#2E343B", 7),
        "road": ("#373E46", 11),
        "main road": ("#424A53", 15),
        "motorway": ("#4E4A40", 20),
    },
    cells=("#4A80AE", "#3F78A8", "#3B79AC", "#4388BD", "#5CA2D4", "#8CC4EC", "#CDE8FB"),
    center="#7CC7F5",
    center_ink="#10161C",
    name_ink="#DCE3EA",
    name_halo="#16191E",
)
_PROJECTOR = Look(  # a bright room eats pale colours: more contrast, larger words
    name="projector",
    paper="#FFFFFF",
    panel="#FFFFFF",
    ink="#000000",
    faint="#2B3640",
    rule="#7A8691",
    land="#FFFFFF",
    sea="#B9D5E6",
    water="#B9D5E6",
    green="#DCEBCB",
    edge="#4A4A4A",
    streets={
        "stream": ("#B9D5E6", 10),
        "rail": ("#B5B5B5", 4),
        "street": ("#DEDCD6", 7),
        "road": ("#D2CFC7", 12),
        "main road": ("#C6C2B7", 18),
        "motorway": ("#D9B978", 24),
    },
    cells=("#BBD3EC", "#8DB5DD", "#5B93CB", "#2F71B3", "#14529A", "#0A3A78", "#041F47"),
    center="#00457C",
    center_ink="#FFFFFF",
    name_ink="#000000",
    name_halo="#FFFFFF",
    letters=1.22,
)
_PRINT = Look(  # little ink, and greys that a copier keeps apart
    name="print",
    paper="#FFFFFF",
    panel="#FFFFFF",
    ink="#000000",
    faint="#404040",
    rule="#9A9A9A",
    land="#FFFFFF",
    sea="#E6E9EB",
    water="#E6E9EB",
    green="#F4F5F2",
    edge="#555555",
    streets={
        "stream": ("#E6E9EB", 8),
        "rail": ("#D5D5D5", 3),
        "street": ("#ECECEC", 6),
        "road": ("#E2E2E2", 10),
        "main road": ("#D6D6D6", 14),
        "motorway": ("#C4C4C4", 18),
    },
    cells=("#E9E1EE", "#CFC3DC", "#AE9DC5", "#8B76AC", "#68508F", "#472D6E", "#28114A"),
    center="#000000",
    center_ink="#FFFFFF",
    name_ink="#1A1A1A",
    name_halo="#FFFFFF",
)
LOOKS: Final = {look.name: look for look in (_LIGHT, _DARK, _PROJECTOR, _PRINT)}


def find_look(name: str) -> Look:
    """The style with this name."""
    if name not in LOOKS:
        raise InputError(f"style={name!r} is not known; use {', '.join(LOOKS)}.", style=name)
    return LOOKS[name]
