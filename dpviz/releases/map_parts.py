"""The fixed parts of map.html: page, style and script. Colours are those of the app's map."""

from dpviz.releases.map_ground import dark_colours

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';
 script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{switch}
<h1>{heading}</h1>
<p>{subtitle}</p>
<section class=odds {odds_label}>
{icons}
<div><p class=guarantee>{odds}</p>
<p>{premise}</p></div>
</section>
{status}
<div class=tools role=group {tools_label}>
<button type=button data-do=in>{closer}</button><button type=button data-do=out>{further}</button
><button type=button data-do=reset>{reset}</button>
<ul class=legend>
{legend}
</ul>
</div>
<div class=maps>
{panels}
</div>
<h2>{centers}</h2>
<div class=scroll tabindex=0 role=region {centers_label}>
{table}
</div>
{flows}
<h2>{good}</h2>
<ul>
{accuracy}
</ul>
<h2>{promised}</h2>
{trust}
<p>{guarantee}</p>
<p class=note>{choices}</p>
</main>
<script>{script}</script>
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #c9c4b8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #16181c; --line: #555;
  --cell: #86c5f2; --center: #56b4e9; --in-center: #10161c; --from: #a99be0; --to: #f08ac0; DARK } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 1200px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.5rem; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
p { margin: 8px 0; max-width: 75ch; }
ul { max-width: 85ch; padding-left: 1.2em; } li { margin: 6px 0; }
.guarantee { font-weight: 600; }
.speak { float: right; display: flex; gap: 4px; margin-left: 16px; }
.speak [aria-pressed=true] { font-weight: 700; border-color: currentColor; }
.odds { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin: 12px 0; }
.odds svg { width: 150px; height: 150px; flex: none; }
.odds div { flex: 1 1 240px; }
.odds .right { fill: #d55e00; } .odds .wrong { fill: none; stroke: var(--ink); stroke-width: .6; }
.cells path { fill: var(--cell, #08306b); shape-rendering: crispEdges; }
.flows path { fill: none; stroke-linecap: round; stroke-opacity: .75; }
.from { stop-color: var(--from, #5b4bb3); } .to { stop-color: var(--to, #b0367a); }
.status, .warning { border-left: 4px solid #0072b2; padding-left: 8px; }
.warning { border-color: #d55e00; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 12px 0; }
button { font: inherit; padding: 6px 12px; border: 1px solid var(--line); border-radius: 6px;
  background: var(--paper); color: inherit; }
.legend { display: flex; flex-wrap: wrap; gap: 16px; list-style: none; margin: 0; padding: 0; }
.legend li { margin: 0; }
.legend svg { width: 16px; height: 16px; vertical-align: -2px; margin-right: 6px; }
.maps { display: flex; flex-wrap: wrap; gap: 16px; }
figure { flex: 1 1 420px; margin: 0; }
@media (max-width: 480px) { figure { flex-basis: 100%; } }
figcaption { margin-top: 4px; max-width: 85ch; }
figcaption { font-size: .875rem; }
svg.map { display: block; width: 100%; box-sizing: border-box; border: 1px solid var(--line); border-radius: 6px;
  touch-action: pan-y; cursor: grab; }
.water { fill: var(--water, #e3eef4); } .land { fill: var(--land, #f4f1ea); }
.park, .cemetery { fill: var(--green, #e2ecd9); } .airport { fill: var(--airport, #e8e4ee); }
.coreset circle, .dot { fill: var(--ink); fill-opacity: .75; stroke: var(--paper); stroke-width: .4; }
.coreset circle.below, .ring { fill: none; stroke: var(--ink); stroke-width: 1; stroke-dasharray: 2 1; }
.cell { fill: var(--cell, #08306b); fill-opacity: .6; }
.regions path, .region { fill: #0072b2; fill-opacity: .1; stroke: #0072b2; stroke-width: 2; }
.centers path, .diamond { fill: var(--center, #0072b2); stroke: var(--in-center, #fff); stroke-width: 1.5; }
.centers text { fill: var(--in-center, #fff); font: 700 12px system-ui, sans-serif;
  text-anchor: middle; dominant-baseline: central; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
.word { text-align: left; min-width: 7em; }
tbody th.word { font-weight: 400; }
@media (max-width: 600px) {
  .speak { float: none; justify-content: flex-end; margin: 0 0 4px; }
  .odds svg { width: 120px; height: 120px; }
  table { font-size: .92rem; } th, td { padding: 5px 6px; } .word { min-width: 6.5em; }
}
"""

STYLE = _STYLE.replace("DARK", dark_colours())

SCRIPT = """
(function () {
  var page = document.documentElement, buttons = document.querySelectorAll("button[data-speak]"), own = [];
  function speak(name) {
    page.lang = name;
    document.querySelectorAll("[data-aria-" + name + "]").forEach(function (part) {
      part.setAttribute("aria-label", part.getAttribute("data-aria-" + name));
    });
    document.querySelectorAll("[data-said-" + name + "]").forEach(function (part) {
      part.textContent = part.getAttribute("data-said-" + name);
    });
    buttons.forEach(function (button) { button.setAttribute("aria-pressed", button.dataset.speak === name); });
  }
  buttons.forEach(function (button) {
    own.push(button.dataset.speak);
    button.addEventListener("click", function () { speak(button.dataset.speak); });
  });
  var asked = (navigator.languages || []).map(function (name) { return name.slice(0, 2); });
  speak(asked.filter(function (name) { return own.indexOf(name) >= 0; })[0] || page.lang);
})();
document.querySelectorAll("svg.map").forEach(function (map) {
  var wide = map.getAttribute("viewBox"), home, view, held = null;
  function fit() {
    home = (document.documentElement.clientWidth < 700 ? map.getAttribute("data-narrow") : wide).split(" ").map(Number);
    map.style.maxWidth = "calc(80vh * " + home[2] / home[3] + ")";
    view = home.slice(); show();
  }
  function room(mark, unit) {  // what a name takes, in units of the drawing
    var place = mark.transform.baseVal.getItem(0).matrix, half = mark.firstChild.getComputedTextLength() * unit / 2;
    return [place.e - half, place.f - 11 * unit, place.e + half, place.f + 4 * unit];
  }
  function apart(a, b) { return a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3]; }
  function show() {
    view[2] = Math.min(home[2], Math.max(home[2] / 64, view[2]));
    view[3] = view[2] * home[3] / home[2];
    view[0] = Math.min(home[0] + home[2] - view[2], Math.max(home[0], view[0]));
    view[1] = Math.min(home[1] + home[3] - view[3], Math.max(home[1], view[1]));
    map.setAttribute("viewBox", view.join(" "));
    map.style.touchAction = view[2] < home[2] ? "none" : "pan-y";
    var unit = view[2] / (map.getBoundingClientRect().width || home[2]), taken = [];
    var size = map.getBoundingClientRect().width < 700 ? 0.85 : 1;
    map.querySelectorAll(".centers > g, .names > g").forEach(function (mark) {
      var place = mark.getAttribute("transform").split(" scale")[0];
      mark.setAttribute("transform", place + " scale(" + unit * (mark.parentNode.matches(".centers") ? size : 1) + ")");
    });
    map.querySelectorAll(".centers > g").forEach(function (mark) {
      var place = mark.transform.baseVal.getItem(0).matrix, half = 15 * size * unit;
      taken.push([place.e - half, place.f - half, place.e + half, place.f + half]);
    });
    map.querySelectorAll(".names > g").forEach(function (mark) {  // names keep their size; those without room wait
      mark.style.display = "";
      var own = room(mark, unit), fits = own[0] >= view[0] && own[2] <= view[0] + view[2];
      fits = fits && own[1] >= view[1] && own[3] <= view[1] + view[3];
      fits = fits && taken.every(function (other) { return apart(own, other); });
      if (fits) taken.push(own); else mark.style.display = "none";
    });
  }
  function zoom(factor, x, y) {
    var wide = Math.min(home[2], Math.max(home[2] / 64, view[2] * factor)), real = wide / view[2];
    view[0] += x * view[2] * (1 - real); view[1] += y * view[3] * (1 - real); view[2] = wide; show();
  }
  function pan(x, y) { view[0] += x * view[2]; view[1] += y * view[3]; show(); }
  map.addEventListener("wheel", function (event) {
    event.preventDefault();
    var box = map.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });
  map.addEventListener("pointerdown", function (event) {
    held = [event.clientX, event.clientY]; map.setPointerCapture(event.pointerId);
  });
  map.addEventListener("pointermove", function (event) {
    if (!held) return;
    var box = map.getBoundingClientRect();
    pan((held[0] - event.clientX) / box.width, (held[1] - event.clientY) / box.height);
    held = [event.clientX, event.clientY];
  });
  ["pointerup", "pointercancel"].forEach(function (name) { map.addEventListener(name, function () { held = null; }); });
  var keys = { "+": function () { zoom(0.8, 0.5, 0.5); }, "-": function () { zoom(1.25, 0.5, 0.5); },
    "0": function () { view = home.slice(); show(); }, ArrowLeft: function () { pan(-0.1, 0); },
    ArrowRight: function () { pan(0.1, 0); }, ArrowUp: function () { pan(0, -0.1); },
    ArrowDown: function () { pan(0, 0.1); } };
  keys["="] = keys["+"];
  map.addEventListener("keydown", function (event) {
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  document.querySelectorAll("button[data-do]").forEach(function (button) {
    var key = { "in": "+", "out": "-", "reset": "0" }[button.dataset.do];
    button.addEventListener("click", function () { keys[key](); });
  });
  window.addEventListener("resize", fit);
  fit();
});
"""
