"""The fixed parts of the page that plays a release by time. It stands alone and asks for nothing."""

PAGE = """<!doctype html>
<html lang="en">
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
<h1>{title}</h1>
<p>{subtitle}</p>
<section class=odds aria-label="The odds">
{icons}
<div><p class=guarantee>{odds}</p>
<p>{premise}</p>
<p>All {many} maps are one release: each record is in one of them only, so together they give away no more about
it than one does. Times are those of {zone}.</p></div>
</section>
{status}
{player}
<h2>How good it is</h2>
<ul>
{accuracy}
</ul>
<h2>What is promised</h2>
<p>{guarantee}</p>
{trust}
<p class=note>{choices}</p>
<p class=note>Map: {credit}.</p>
</main>
{script}
</body>
</html>
"""

PLAYER = """<div class=tools role=group aria-label="Play">
<button type=button id=play>Play</button>
<input type=range id=part min=0 max={last} value={start} aria-label="{what}"><output id=now aria-live=polite></output>
<label class=beside><input type=checkbox id=two> Beside it
<select id=other aria-label="{what} beside it">{options}</select></label>
</div>
<div class=maps><figure id=first>{drawing}</figure></div>
<p class=note>The darker a cell, the more records on its ground, in one scale for all. Numbers mark the centers of the
{what}. Choose a square of the map to see its {what}s below.</p>
<h2 id=where>In the whole box</h2>
<div class=scroll tabindex=0 role=region aria-label="Curve">
<svg id=curve viewBox="0 0 900 210" role=img aria-label="How many records in each {what}"></svg></div>
<p class=note>Bars: about how many records; the line on each holds the true number in 90 of 100 draws of the noise.</p>
<details><summary>Read as a table</summary><div class=scroll><table><thead><tr><th scope=col>{what}<th scope=col>about
<th scope=col>low<th scope=col>high</tr></thead><tbody id=rows></tbody></table></div></details>
"""

STYLE = """
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: INK; background: PAPER; }
main { max-width: 1240px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.5rem; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 20px 0 4px; }
.odds { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin: 12px 0; }
.odds svg { width: 130px; height: 130px; flex: none; }
.odds div { flex: 1 1 260px; }
.odds .right { fill: #d55e00; } .odds .wrong { fill: none; stroke: INK; stroke-width: .6; }
.guarantee { font-weight: 600; }
.status, .warning { border-left: 4px solid #0072b2; padding-left: 8px; }
.warning { border-color: #d55e00; }
.tools { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; margin: 16px 0 8px; }
.tools input[type=range] { flex: 1 1 200px; } output { font-weight: 600; min-width: 6.5em; }
button, select { font: inherit; padding: 6px 12px; color: INK; background: PAPER; border: 1px solid RULE;
 border-radius: 6px; }
.maps { display: flex; flex-wrap: wrap; gap: 16px; }
figure { margin: 0; flex: 1 1 420px; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; max-height: 78vh; cursor: pointer; }
figcaption { font-weight: 600; }
.scroll { overflow-x: auto; }
#curve { width: 100%; min-width: 560px; height: auto; }
#curve .bar { fill: #5b93c4; cursor: pointer; } #curve .bar.now { fill: #d55e00; } #curve .bar.too { fill: #0b5fa5; }
#curve .range { stroke: INK; stroke-width: 1.6; } #curve text { fill: INK; font-size: 12px; text-anchor: middle; }
#curve .scale { text-anchor: end; } #curve .rule { stroke: RULE; stroke-width: 1; }
.square { fill: none; stroke: #d55e00; stroke-width: 3; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 12px; text-align: right; border-bottom: 1px solid RULE; }
th:first-child { text-align: left; }
p { margin: 6px 0; max-width: 75ch; } .note { font-size: .9rem; }
summary { cursor: pointer; }
"""

SCRIPT = """
(function () {
var held = DATA, names = held.names, slider = document.getElementById("part"), other = document.getElementById("other");
var two = document.getElementById("two"), button = document.getElementById("play"), timer = null, area = -1;
var first = document.querySelector("#first svg"), second = null, svgns = "http://www.w3.org/2000/svg";
function only(map, part) {
  map.querySelectorAll("g.part").forEach(function (group) {
    group.style.display = group.getAttribute("data-part") === String(part) ? "" : "none";
  });
  var old = map.querySelector(".square"); if (old) old.remove();
  if (area < 0) return;
  var box = map.viewBox.baseVal, wide = box.width / held.across, high = box.height / held.across;
  var square = document.createElementNS(svgns, "rect"), column = area % held.across;
  square.setAttribute("class", "square"); square.setAttribute("x", column * wide);
  square.setAttribute("y", (area - column) / held.across * high);
  square.setAttribute("width", wide); square.setAttribute("height", high); map.appendChild(square);
}
function whole(value) { return Math.round(value).toLocaleString("en"); }
function put(svg, kind, facts, text) {
  var made = document.createElementNS(svgns, kind);
  Object.keys(facts).forEach(function (key) { made.setAttribute(key, facts[key]); });
  if (text !== undefined) made.textContent = text;
  svg.appendChild(made); return made;
}
function curve() {
  var svg = document.getElementById("curve"), rows = area < 0 ? held.all : held.squares[area];
  var now = Number(slider.value);
  var most = Math.max.apply(null, rows.map(function (row) { return row[2]; })) || 1, wide = 836 / rows.length;
  svg.textContent = "";
  put(svg, "line", { "class": "rule", x1: 60, x2: 896, y1: 170, y2: 170 });
  put(svg, "text", { "class": "scale", x: 54, y: 20 }, whole(most));
  put(svg, "text", { "class": "scale", x: 54, y: 174 }, "0");
  rows.forEach(function (row, at) {
    var x = 60 + at * wide, y = 170 - row[0] / most * 156, middle = x + wide / 2;
    var chosen = at === now ? " now" : two.checked && at === Number(other.value) ? " too" : "";
    var bar = put(svg, "rect", { "class": "bar" + chosen, x: x + wide * 0.08, y: y, width: wide * 0.84,
      height: Math.max(170 - y, 0.5) });
    put(bar, "title", {}, names[at] + ": about " + whole(row[0]) + " (" + whole(row[1]) + " to " + whole(row[2]) + ")");
    bar.addEventListener("click", function () { stop(); slider.value = at; show(); });
    put(svg, "line", { "class": "range", x1: middle, x2: middle, y1: 170 - row[1] / most * 156,
      y2: 170 - row[2] / most * 156 });
    var step = Math.ceil(rows.length / 24);
    if (at % step === 0) put(svg, "text", { x: middle, y: 188 }, held.short[at]);
  });
  document.getElementById("where").textContent = area < 0 ? "In the whole box" : "In the chosen square";
  document.getElementById("rows").innerHTML = rows.map(function (row, at) {
    return "<tr><th scope=row>" + names[at] + "</th>" + row.map(function (value) {
      return "<td>" + whole(value) + "</td>";
    }).join("") + "</tr>";
  }).join("");
}
function show() {
  only(first, slider.value);
  if (second) only(second, other.value);
  document.getElementById("now").textContent = names[slider.value];
  curve();
}
function stop() { clearInterval(timer); timer = null; button.textContent = "Play"; }
function chosen(event) {
  var box = event.currentTarget.getBoundingClientRect();
  var column = Math.floor((event.clientX - box.left) / box.width * held.across);
  var row = Math.floor((event.clientY - box.top) / box.height * held.across), found = row * held.across + column;
  area = found === area || !held.squares[found] ? -1 : found; show();
}
function pair() {
  if (two.checked && !second) {
    var figure = document.createElement("figure");
    second = first.cloneNode(true); figure.appendChild(second); second.addEventListener("click", chosen);
    document.querySelector(".maps").appendChild(figure);
  }
  if (second) second.parentNode.style.display = two.checked ? "" : "none";
  show();
}
slider.addEventListener("input", function () { stop(); show(); });
first.addEventListener("click", chosen);
two.addEventListener("change", pair);
other.addEventListener("change", function () { two.checked = true; pair(); });
button.addEventListener("click", function () {
  if (timer) { stop(); return; }
  button.textContent = "Pause";
  timer = setInterval(function () { slider.value = (Number(slider.value) + 1) % names.length; show(); }, 900);
});
show();
})();
"""
