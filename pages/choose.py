"""Choose: move the level, look at what it costs and what it risks, publish.

What needs no computing is sent first: the title, the slider, the places that the map and the figures will take. What
depends on the level is drawn by parts that a step of the slider draws again by themselves (choose_parts.py).
"""

from dpviz.ui import address, choose_map, choose_parts, choose_results, choose_whole, workspace

with choose_whole.page():
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
    settled = choose_results.is_settled(chosen, previews)
    with picture:
        choose_map.legend(source, chosen, previews)
        choose_map.answer(source, chosen, previews)
        choose_map.come(waiting)
        choose_results.strip(source, chosen, previews, choose_parts.watched_area(source, chosen))
    choose_results.curves(source, chosen, previews, settled=settled)
    choose_results.drawers(source, chosen, previews, settled=settled)
