"""Colours of maps and charts in light and dark, and the few style rules that Streamlit has no option for."""

from __future__ import annotations

from dataclasses import dataclass

PROTECTED = "#0072B2"  # private centers: diamonds
EXACT = "#D55E00"  # non-private centers: squares
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
    ground: str
    text: str
    faint: str  # text of lesser weight, still 4.5 : 1 on the ground
    grid: str
    dot: str
    halo: str
    line: str
    coin: str
    empty: str
    accent: str
    band: str


LIGHT = Theme(
    name="light",
    style="/app/static/style.json",
    land="#F4F1EA",
    water="#E3EEF4",
    ground="#FFFFFF",
    text="#16202A",
    faint="#51606E",
    grid="#DDE3E9",
    dot="#111111",
    halo="#FFFFFF",
    line="#4A4A4A",
    coin="#8A97A3",
    empty="#8A97A3",
    accent=PROTECTED,
    band="#0072B2",
)
DARK = Theme(
    name="dark",
    style="/app/static/style-dark.json",
    land="#23262B",
    water="#161A20",
    ground="#10161C",
    text="#E8EDF2",
    faint="#A9B6C2",
    grid="#313C47",
    dot="#F2F2F2",
    halo="#10161C",
    line="#D0D6DC",
    coin="#8A97A3",
    empty="#75828E",
    accent="#56B4E9",
    band="#56B4E9",
)


def theme_named(name: str | None) -> Theme:
    """Light unless dark is asked for."""
    return DARK if name == "dark" else LIGHT


def rgb(colour: str, alpha: int = 255) -> list[int]:
    """`#RRGGBB` as the list that layers take."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)] + [alpha]


CSS = """
<style>
.stMainBlockContainer { padding:3.9rem 2.2rem 3rem 2.2rem; max-width:1680px; }
[data-testid=stHeading] h1 { font-size: 1.55rem !important; padding: 0 0 .2rem 0 !important; }
[data-testid=stHeading] h2 { font-size: 1.2rem !important; padding: .6rem 0 .2rem 0 !important; }
[data-testid=stHeading] h3 { font-size: 1.02rem !important; padding: .4rem 0 .1rem 0 !important; }
.stApp :has(> .st-key-language) { position:fixed; top:.6rem; right:4.2rem; z-index:999991; width:auto !important; }
.dpv-mode { display:flex; flex-wrap:wrap; gap:.2rem .8rem; align-items:baseline; padding:.42rem .8rem;
  border-radius:.5rem;  border-left:.4rem solid; font-size:.92rem; line-height:1.35; }
[data-testid="stAlert"] { margin-top:.7rem; }
.st-key-own_strict label div { white-space:normal !important; overflow:visible !important; }
.dpv-mode strong { white-space:nowrap; }
.dpv-demo { background:rgba(0,114,178,.12); border-color:#0072B2; }
.dpv-preview { background:rgba(213,94,0,.16); border-color:#D55E00; }
.dpv-strict { background:rgba(0,128,96,.15); border-color:#008060; }
.dpv-odds { display:grid; grid-template-columns:minmax(84px,32%) 1fr; gap:.9rem; align-items:center;
  font-size:.95rem; line-height:1.4; }
.dpv-odds p { margin:0 0 .4rem 0; }
.dpv-key { display:inline-flex; align-items:center; gap:.3rem; margin-right:.7rem; font-size:.82rem;
  white-space:nowrap; }
.dpv-key i { width:.75rem; height:.75rem; border-radius:50%; display:inline-block; }
.dpv-figures { display:grid; grid-template-columns:repeat(4,minmax(0,1fr)); gap:.7rem;
  margin:0 !important; padding:0 !important; list-style:none; }
.dpv-figures.dpv-2 { grid-template-columns:repeat(2,minmax(0,1fr)); }
.dpv-figures.dpv-3 { grid-template-columns:repeat(3,minmax(0,1fr)); }
.dpv-figures dt { margin:0; }
.dpv-figures > div { margin:0 !important; border:1px solid rgba(128,140,150,.4); border-radius:.6rem;
  padding:.55rem .8rem .6rem .8rem; display:grid; grid-template-rows:subgrid; grid-row:span 3; row-gap:0; }
.dpv-figures dt { font-size:.86rem; }
.dpv-figures dd { margin:0 !important; }
.dpv-figures dd.value { font-size:1.55rem; font-weight:650; line-height:1.3; }
.dpv-figures dd.note { font-size:.82rem; opacity:.9; line-height:1.3; min-height:1.1rem; }
@media (max-width: 900px) { .dpv-figures, .dpv-figures.dpv-3 { grid-template-columns:repeat(2,minmax(0,1fr)); } }
[data-testid=stCheckbox] [data-testid=stMarkdownContainer] { white-space:normal; }
[data-testid=stCheckbox] [data-testid=stMarkdownContainer] p { white-space:normal; }
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] *, kbd { color:inherit !important;
  opacity:1 !important; }
.dpv-reading { margin:0; padding-left:1.1rem; font-size:.95rem; line-height:1.45; overflow-wrap:anywhere; }
.dpv-reading li { margin:.15rem 0; }
/* Choose: slider and controls left of the map; on a narrow screen slider, map, controls. */
.st-key-choose_frame { display:grid !important; grid-template-columns:minmax(290px,26%) minmax(0,1fr);
  grid-template-rows:auto 1fr; column-gap:1.6rem; row-gap:.7rem; align-items:start; }
.st-key-choose_frame > :has(> .st-key-choose_dial) { grid-area:1 / 1; }
.st-key-choose_frame > :has(> .st-key-choose_rest) { grid-area:2 / 1; }
.st-key-choose_frame > :has(> .st-key-choose_picture) { grid-area:1 / 2 / 3 / 3; min-width:0; }
.st-key-choose_rest, .st-key-choose_picture { gap:.6rem !important; }
@media (max-width: 1150px) {
  .stMainBlockContainer { padding-left:1.5rem; padding-right:1.5rem; }
  .dpv-figures dd.value { font-size:1.3rem; }
  .st-key-curves [data-testid=stColumn] { min-width:calc(100% - 1rem); }
  .st-key-choose_rest [data-testid=stPopoverButton] { padding-left:.3rem; padding-right:.3rem; }
}
@media (max-width: 640px) {
  .stMainBlockContainer { padding-left:1rem; padding-right:1rem; }
  .dpv-odds { grid-template-columns:96px 1fr; font-size:.9rem; }
  [data-testid=stHeading] h1 { font-size:1.1rem !important; }
  .st-key-curves [data-testid=stColumn] { min-width:calc(100% - 1rem); }
  .dpv-mode { font-size:.82rem; }
  .dpv-table:not(.dpv-cards) tbody th { min-width:6rem !important; }
  .dpv-table:not(.dpv-cards) td { overflow-wrap:anywhere; }
  .st-key-choose_frame { grid-template-columns:minmax(0,1fr); grid-template-rows:none; }
  .st-key-choose_frame > :has(> .st-key-choose_dial) { grid-area:1 / 1; }
  .st-key-choose_frame > :has(> .st-key-choose_picture) { grid-area:2 / 1; }
  .st-key-choose_frame > :has(> .st-key-choose_rest) { grid-area:3 / 1; }
}
[data-variant=segmented_control] { min-height:2.5rem; }
[data-variant=segmented_control][aria-checked=true] * { color:#00466E !important; }
.dpv-who { font-size:.9rem; }
.dpv-who a { color:#005A8C; }
@media (prefers-reduced-motion: reduce) { * { transition:none !important; animation:none !important; } }
.dpv-table { width:100%; border-collapse:collapse; font-size:.9rem; line-height:1.4; margin:.1rem 0 .6rem 0; }
.dpv-table th, .dpv-table td { text-align:left; padding:.38rem .6rem; vertical-align:top; border:0;
  border-bottom:1px solid rgba(128,140,150,.35); }
.dpv-table .dpv-long { overflow-wrap:anywhere; }
.dpv-table thead th { font-weight:600; border-bottom:2px solid rgba(128,140,150,.55); vertical-align:bottom; }
.dpv-table tbody th { font-weight:600; }
.dpv-table .number { text-align:right; font-variant-numeric:tabular-nums; white-space:nowrap; }
.dpv-table thead .number { white-space:normal; }
.dpv-table caption { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%); }
.dpv-table:not(.dpv-cards) tbody th { min-width:9rem; }
.dpv-table tr.dpv-chosen > * { background:rgba(0,114,178,.14); }
CARDS
</style>
"""

# On a narrow screen each row of a table is a card, each cell under its heading; a wide table is so on a tablet too.
_CARDS = """
@media (max-width: WIDTH) {
  .CARDS thead { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%); }
  .CARDS, .CARDS tbody, .CARDS tr, .CARDS td, .CARDS tbody th { display:block; width:100%; overflow-wrap:anywhere; }
  .CARDS tr { border:1px solid rgba(128,140,150,.4); border-radius:.5rem; padding:.3rem .1rem; margin-bottom:.55rem; }
  .CARDS td, .CARDS tbody th { border-bottom:0; padding:.2rem .7rem; }
  .CARDS td { display:grid; grid-template-columns:minmax(7rem,42%) 1fr; gap:.6rem; }
  .CARDS td::before { content:attr(data-head); opacity:.85; }
  .CARDS td.number { text-align:left; white-space:normal; }
  .CARDS tbody th { font-size:.98rem; padding-bottom:.1rem; }
}
"""
CSS = CSS.replace(
    "CARDS",
    "".join(
        _CARDS.replace("CARDS", name).replace("WIDTH", to)
        for name, to in (("dpv-cards", "640px"), ("dpv-wide", "1100px"))
    ),
)

# The light blue of the dark appearance carries dark words: 8 : 1 instead of 2 : 1.
DARK_CSS = """
<style>
[data-testid^=stBaseButton-primary]:enabled, [data-testid^=stBaseButton-primary]:enabled * { color:#10161C !important; }
[data-variant=segmented_control][aria-checked=true] * { color:#A9DAF7 !important; }
.dpv-who a { color:#8CCBF2; }
button[kind=tertiary]:is(:hover, :focus, :active, [aria-expanded=true]),
button[kind=tertiary]:is(:hover, :focus, :active, [aria-expanded=true]) * { color:#A9DAF7 !important; }
</style>
"""
