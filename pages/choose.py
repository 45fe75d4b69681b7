"""Choose: move the level, look at what it costs and what it risks, publish.

What needs no computing is sent first: the title, the slider, the places that the map and the figures will take.
"""

from dpviz.ui import address, choose_map, choose_parts, choose_results, workspace
from dpviz.ui.preview import Drawn, Setting

address.take_over()
head, dial, picture, rest = choose_parts.frame()
chosen = choose_parts.read_state()
with picture:
    waiting = choose_map.skeleton()

source = workspace.current_source(chosen.data, chosen.hour, chosen.days)
with head:
    choose_parts.mode(source)
    address.complain(chosen)
with dial:
    choose_parts.dial(source, chosen)
with rest:
    chosen = choose_parts.controls(source)
address.show(chosen)

previews = workspace.previews(source, chosen.regions)
drawn = previews.main(Setting(method=chosen.method, k=chosen.k, level=chosen.level.number))
previews.prepare(chosen.method, chosen.k, chosen.level)

if isinstance(drawn, Drawn):
    area = choose_parts.watched_area(source, chosen)
    with picture:
        view = choose_map.panel(source, chosen, drawn, waiting)
        choose_results.strip(chosen, drawn, previews, area)
    choose_results.curves(source, chosen, previews)
    choose_map.as_tables(source, chosen, view)
else:
    with picture:
        choose_map.no_answer(source, chosen, drawn, previews, waiting)
    choose_results.curves(source, chosen, previews)
