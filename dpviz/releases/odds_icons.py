"""The odds of a release as a hundred small figures."""

from __future__ import annotations

from dpviz.privacy import out_of_100
from dpviz.releases import words as say
from dpviz.releases.map_voices import ALONE, Voices
from dpviz.releases.outcomes import Release


def odds_icons(release: Release, voices: Voices = ALONE) -> str:
    """A hundred guessers, those that are right filled."""
    right = out_of_100(release.guarantee.epsilon, release.guarantee.delta)
    marks = "".join(
        f'<circle class={"right" if at < right else "wrong"} cx="{at % 10 * 10 + 5}" cy="{at // 10 * 10 + 5}" r="3.6"/>'
        for at in range(100)
    )
    label = voices.labelled(lambda: say.MAP_GUESSERS.format(right=right))
    return f'<svg class=icons role=img {label} viewBox="0 0 100 100">{marks}</svg>'
