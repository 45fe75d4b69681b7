"""What the five scenes say, and the presenter's notes. No formula and no Greek letter."""

from __future__ import annotations

TITLES = (
    "A map of dots is not anonymous",
    "One person’s trip: in or out?",
    "The dial",
    "The attack game",
    "What is published, and what it is good for",
)

SCENE_1 = (
    "Between 4 and 5 in the morning, in one month, New York’s taxis brought **{total}** trips to their end. On the map "
    "there are no names. Yet **{alone}** squares of about 50 metres hold exactly **one** trip. One of them lies near "
    "**{place}**: whoever knows who lives there knows who came home at that hour."
)
SCENE_1_ROUND = (
    "**Rounding does not help.** With squares four times as wide, {alone} squares still hold exactly one trip, and the "
    "same trip is still alone."
)
SCENE_1_RULE = (
    "**“Show only squares with at least {least} trips” does not help either.** Near {place} a square has exactly "
    "{least}. Take one trip away, and the square vanishes from the map: who knows the other trips can read off the "
    "missing one."
)
SCENE_1_MAP = "Pink: where a trip ended. Number 1: a trip that is alone in its square."
RECORDED = "As recorded"
ROUNDED = "Rounded to larger squares"
RULE_WITH = "At least {least}: with her trip"
RULE_WITHOUT = "At least {least}: without her trip"

SCENE_2 = (
    "Here are two worlds. In one of them a woman took a taxi home; in the other she walked. Everything else is the "
    "same. **An exact map tells the two worlds apart at once:** the ringed square differs by one."
)
WITH_TRIP, WITHOUT_TRIP = "She took the taxi", "She walked"
CHANCE_WITH, CHANCE_WITHOUT = "She took it, chance added", "She walked, chance added"
SCENE_2_IDEA = (
    "So a safe map must be one that **could have come from either world**. That is what the tool does: it adds a "
    "little chance to every number, to zeros as well, until the difference of one trip drowns in it. Cover the titles "
    "of the two pictures on the right: could you tell them apart?"
)

SCENE_3 = (
    "The dial says how much chance is added. To the left the map is sharp and gives more away; to the right it is "
    "coarser and protects better. The same night at three levels:"
)
SCENE_3_ODDS = "A guess about one trip is right at most {right} times in 100. A coin is right 50 times."
SCENE_3_SHIFT = "The centers lie about {shift} from where they would lie without chance."
SCENE_3_KEY = "Dots: the protected points, larger where more trips ended. Diamonds: the centers found from them."

SCENE_4 = (
    "Two noisy pictures of the same streets. **One was made with her trip, one without.** In truth the ringed square "
    "held {value} trips with hers. Which picture was made with her trip?"
)
SCENE_4_DIAL = "Set the dial"
GUESS_LEFT, GUESS_RIGHT = "The left one", "The right one"
LEFT, RIGHT = "Left picture", "Right picture"
RIGHT_GUESS, WRONG_GUESS = "Right! It was the {side} picture.", "Wrong: it was the {side} picture."
SIDES = ("left", "right")
NEW_ROUND = "These are two new pictures."
AUDIENCE = "You: **{right} right of {played}**. The dial promises: at most {promised} of 100 in the long run."
TALLY_ALT = "Your latest {shown} guesses: {right} right, {wrong} wrong."
MACHINE = "Let a machine play 1,000 rounds"
MACHINE_RESULT = (
    "The machine was right **{right} times in {played}**, although it knows every other trip. The dial promised at "
    "most **{promised} in 100**. Luck alone moves such a score by about {luck} either way."
)
MACHINE_ALT = "A bar: {share} of 100 right guesses; a line at the promised {promised} of 100; a coin gives 50."
OUT_OF = "The promise is an upper limit: it holds for every attacker, however clever, who knows all other trips."

SCENE_5 = (
    "This is all that leaves the house: a small set of weighted points and the centers found from them, at the level "
    "“{level}”. From it analysts can still"
)
SCENE_5_LIST = (
    "- find the places people gather around, for **any number** of centers, as often as they like\n"
    "- place pharmacies, bus stops or charging points and **estimate the way** people have to go\n"
    "- compare mornings and nights\n\n"
    "None of these questions costs any more privacy: they are asked of what is public already."
)
SCENE_5_KEY = ("Protected points", "Centers")
SCENE_5_GO = "Try it on the page Compare"
SCENE_5_CHOOSE = "Choose a level yourself"

STEP = "Scene {number} of 5"
NOTES = (
    "Ask: who would recognise their own street? Show the lonely square first, let the audience suggest remedies; "
    "rounding and “at least five” are what most people say.",
    "Let somebody in the audience be the woman. Stress that the attacker may know everything about everybody else. "
    "Numbers below zero are no mistake: chance takes away as often as it adds.",
    "Move slowly from left to right. Point at the dots, which grow fewer and coarser, and at the centers, which hardly "
    "move.",
    "Let the audience vote by hand for five rounds, then let the machine play. Repeat at the sharpest level: there the "
    "machine wins most rounds, and the promise says so beforehand.",
    "Come back to the first question: the map of scene 1 and this one answer the same questions about the city, but "
    "only one of them could be made without her.",
)
