"""What the story says, scene by scene and step by step, and what the presenter says to it. No formula, no Greek letter.

`{names}` in braces are numbers that `story.py` counts or that were recorded; a translation keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Beat:
    """One step of a scene: what stands on the screen, a number in large type, and what the presenter says."""

    text: str
    say: str
    chip: str = ""  # the button that leads to this step
    big: str = ""
    unit: str = ""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One scene. `name` is known to the scripts that draw it."""

    name: str
    title: str
    beats: tuple[Beat, ...]
    note: str = ""


SCENES = (
    Scene(
        name="start",
        title="Find her",
        note="Real public trips of January 2015. Mara, her doors and her 20 trips are made up.",
        beats=(
            Beat(
                big="{trips}",
                unit="taxi trips",
                text="Every light is a place where somebody in New York got into a taxi or out of it. "
                "Somewhere in here is **one week of one woman**. We call her Mara.",
                say="Let the map work for a moment. Ask: who believes that one person can be found in this?",
            ),
            Beat(
                text="You are her neighbour. You know **two things**: the door she lives behind, and the office she "
                "works "
                "in.\nThat is all you know. **Find her.**",
                say="Two facts that every neighbour, colleague or former partner knows. Nothing secret.",
                chip="Two facts",
            ),
        ),
    ),
    Scene(
        name="names",
        title="First try: take the names away",
        note="The trips are real; which of them belong to one rider is made up, because the public file has no riders.",
        beats=(
            Beat(
                big="{codes}",
                unit="codes, and not one name",
                text="Every rider is now only a code. That is what “anonymous” often means. **Is she safe?**",
                say="Ask for a show of hands: safe or not?",
                chip="No names",
            ),
            Beat(
                big="{names_home}",
                unit="codes left",
                text="First fact. Who ever gets in or out **at her door**?",
                say="One fact, and the city has shrunk to a handful of riders.",
                chip="Her door",
            ),
            Beat(
                big="{names_both}",
                unit="code left",
                text="Second fact. Who also gets out **at her office**? Only one. **That is Mara.**",
                say="Two facts are enough. No name was needed.",
                chip="Her office",
            ),
            Beat(
                text="And now you have **her whole week**. Also what no neighbour knew: where she spends two nights, "
                "and "
                "that she goes to **a clinic every weekday evening**.",
                say="Say nothing for five seconds. The clinic is what the room will remember.",
                chip="Her week",
            ),
        ),
    ),
    Scene(
        name="rounded",
        title="Second try: blur the map",
        note="Squares of about 400 metres: every trip now begins and ends in the middle of one.",
        beats=(
            Beat(
                text="Every place moves to the middle of a large square, about 400 metres wide. Nobody’s door is on "
                "the "
                "map any more. **Is she safe now?**",
                say="Let the room watch the lights snap into squares. Ask again: safe?",
                chip="Blurred",
            ),
            Beat(
                big="{rounded_both}",
                unit="codes left",
                text="The same two facts, now as squares: {rounded_home} codes touch her square, "
                "**{rounded_both}** of them also her office’s. One of these went there {other_mornings}; "
                "**Mara goes every morning.**",
                say="Blurring left one more code. One look at the mornings decides between the two.",
                chip="Her squares",
            ),
            Beat(
                text="And **there is the clinic again.** A pattern is not a place: blurring the places leaves the "
                "pattern.",
                say="What gives her away is the pattern of her week, and that survives rounding.",
                chip="Her week",
            ),
        ),
    ),
    Scene(
        name="five",
        title="Third try: only routes that at least five trips took",
        note="Lines between the same squares as before.",
        beats=(
            Beat(
                big="{lines}",
                unit="lines",
                text="The codes are gone as well. What is left are lines from square to square, and only where **at "
                "least "
                "five trips** go the same way. **Is she safe now?**",
                say="This is the rule that many offices use. Ask a last time: safe?",
                chip="At least five",
            ),
            Beat(
                big="{lines_home}",
                unit="lines at her square",
                text="Which lines touch the square she lives in? Only these. There are exactly {line_trips} trips on "
                "each, "
                "and **all of them are hers**.",
                say="Few take a taxi where she lives. Her own trips fill the rule by themselves.",
                chip="Her square",
            ),
            Beat(
                text="One goes to her office. The other one comes **from the clinic**.\n**Five trips are not five "
                "people.** "
                "Three tries, and three times she was found.",
                say="Three remedies that sound right, and the clinic is on the screen each time.",
                chip="The other line",
            ),
        ),
    ),
    Scene(
        name="protected",
        title="Now the protected map",
        note="A whole month of real taxi arrivals, and Mara’s. Made once for this demo, by the method “Uniform "
        "grid” of the tool.",
        beats=(
            Beat(
                big="{month}",
                unit="trips, and Mara’s 20",
                text="The tool has **changed every square’s number a little, at random**, empty ones as well. "
                "Blue: trips. Violet: squares whose number fell below zero. **Try to find her.**",
                say="Streets, stations, bridges: the city is all there. Now try the two facts.",
                chip="Protected",
            ),
            Beat(
                big="{home_estimate}",
                unit="says the square at her door",
                text="In truth {home_truth} taxis stopped here in that month, **{home_hers} of them hers**. The "
                "random change was {home_moved}. What are {home_hers} trips against that?",
                say="The label beside the door also says how far the truth may lie from it: 9 of 10 times within that "
                "range.",
                chip="Her door",
            ),
            Beat(
                big="{clinic_estimate}",
                unit="says the square of the clinic",
                text="That can mean anything from {clinic_low} to {clinic_high}. Was she there? Five times, once, "
                "never? **The "
                "map cannot tell you.**",
                say="You know the answer, and the map still does not show it.",
                chip="The clinic",
            ),
        ),
    ),
    Scene(
        name="worlds",
        title="A trip is not a person",
        note="Each dot is one published map, {shown} in all; a coin decided which of them hold her. Real maps of "
        "the tool, recorded for this demo.",
        beats=(
            Beat(
                big="100",
                unit="of 100 guesses right",
                text="Two cities: one **without Mara**, one **with her**. Nothing else differs. Without protection "
                "every map tells them apart.",
                say="Grey is the city without her, pink the city with her. One look decides.",
                chip="No protection",
            ),
            Beat(
                big="{trip_reachable}",
                unit="of 100 guesses right",
                text="Level “{level_name}”, protecting **every single trip**. Each trip alone is hidden. But her week "
                "pulls "
                "the same way every day, and **her week gives her away**.",
                say="This is the turning point. Whoever protects single trips stops here and calls it private.",
                chip="Each trip",
            ),
            Beat(
                big="{person_reachable}",
                unit="of 100 guesses right",
                text="The same level, protecting **a person with all 20 trips at once**. The dots with her and without "
                "her lie mixed. The best guesser is right {person_reachable} of 100 times, a coin 50 of 100.",
                say="Same city, same level. What changed is what is protected: not a trip, a person.",
                chip="Her whole week",
            ),
        ),
    ),
    Scene(
        name="game",
        title="Your turn: is she in it?",
        beats=(
            Beat(
                text="Here is one published map. You even know what every square would say **without** her. Is Mara "
                "in it?",
                say="Hands up for in, hands up for out; type the hands in. Five rounds or so. Then the next step.",
                chip="You guess",
            ),
            Beat(
                text="The computer guesses **as well as anybody can**, a thousand times. At first luck pulls it up "
                "and down. It ends near the blue line, the best possible on this map: **{{reachable}}** of "
                "100. The promise to Mara holds for every map: at most {{promised}}.",
                say="Five hands cannot tell 55 from 50; a thousand rounds can. Turn the dial to No protection, and "
                "back.",
                chip="1,000 rounds",
            ),
        ),
    ),
    Scene(
        name="dial",
        title="The dial",
        note="A real map of the tool for every level of the dial, each protecting a person with all 20 trips.",
        beats=(
            Beat(
                text="Larger random changes, more specks, fewer right guesses. At **{{level}}** the best guesser, who "
                "knows all other trips, is right **{{reachable}} of 100** times. The five best places for charging "
                "stations (white) move by **{{shift}} m** on average (yellow).",
                say="Click along the dial from left to right. The keys of the clicker never turn it.",
            ),
        ),
    ),
    Scene(
        name="keeps",
        title="What the city keeps",
        note="Level “{level_name}” for a person. The maps of mornings and nights may each give away half as much, "
        "so together no more than one map.",
        beats=(
            Beat(
                big="{shift} m",
                unit="is how far five stations move",
                text="Five charging stations, placed so that people are near one. White: found from the exact data. "
                "Yellow: from the protected map. With these, squared distances to the nearest station add up to only "
                "**{worse} more**.",
                say="The answer to the city’s question is the same. The answer to the neighbour’s question is gone.",
                chip="Stations",
            ),
            Beat(
                big="{morning}",
                unit="arrivals from 7 to 10 in the morning",
                text="Where people **work**: {morning_top}. Read off the protected map alone, which gives nothing "
                "more away.",
                say="Mornings: offices light up.",
                chip="Mornings",
            ),
            Beat(
                big="{night}",
                unit="arrivals from midnight to 4",
                text="Where people **go out** and sleep. These places get a far larger share of all arrivals at night "
                "than in the morning: {night_top}. The city can be read like a book. **Mara cannot.**",
                say="Nights: another city, and all of it read off one protected map.",
                chip="Nights",
            ),
        ),
    ),
    Scene(
        name="end",
        title="Find her",
        beats=(
            Beat(
                text="Same city. Same neighbour. The same two facts.\n**Find her.**",
                say="Back to the first picture. Wait until somebody says: you cannot.",
                chip="Again",
            ),
            Beat(
                text="**You cannot.** The best guesser is right {person_reachable} times of 100, a coin 50 "
                "times. What this map shows is about the city, and not about her.\nWhat anybody could have "
                "guessed about her **without** her trips can still be guessed.",
                say="End here, or press Q for the questions that people ask.",
                chip="Why",
            ),
        ),
    ),
)

UI = {
    "title": "Find her: a demonstration",
    "language": "English",
    "step": "{number} of {many}",
    "go": "Scene {number}: {title}",
    "steering": "Scenes",
    "back": "Back",
    "next": "Next",
    "again": "Start again",
    "full": "Full screen",
    "ask": "Questions",
    "notes": "Notes",
    "close": "Close",
    "coming": "Next",
    "keys": "Next: Page down, arrows, space. Back: Page up. First and last scene: Home, End. F or F5 full "
    "screen, B black, Q questions, N this window. No key turns the dial.",
    "phones_on": "Let phones vote",
    "phones_off": "Stop phones",
    "phones_empty": "Discard votes",
    "join": "Vote at **{address}**",
    "asked": "{estimate} ({low} to {high})",
    "without": "without her",
    "with": "with her",
    "clouds_axis": "Across: how many taxis the published map counts in this square.",
    "rounds": "rounds",
    "clouds_exact": (
        "Without protection: the counts with her and without her are clearly apart, at her door and at the clinic."
    ),
    "clouds_trip": "Protected per trip: two clouds of dots that hardly overlap.",
    "clouds_person": "Protected per person: the two clouds lie on each other.",
    "square": "Square",
    "truth": "Truth without her",
    "published": "Published",
    "guess_in": "She is in it",
    "guess_out": "She is not",
    "more": "One more hand for: {side}",
    "fewer": "One hand less for: {side}",
    "was_in": "she was in it",
    "was_out": "she was not in it",
    "guessed_right": "**Right:** {answer}.",
    "guessed_wrong": "**Wrong:** {answer}.",
    "next_round": "Next map",
    "machine": "Computer: 1,000 rounds",
    "room": "You: **{right} of {played}** right.",
    "computer_not": "The computer has not played yet.",
    "computer_told": "The best guesser there is: **{share} of 100**, after {rounds} rounds.",
    "limits_told": "Best that can be reached: {reachable} of 100. Promised: at most {promised}. A coin: 50.",
    "coin": "coin",
    "reachable": "best possible",
    "promised": "promised: at most",
    "dial": "How much privacy?",
    "none": "No protection",
    "more_privacy": "More privacy",
    "odds_alt": "Of 100 guesses a coin has 50 right, the best guesser {reachable}, and the promise is at most "
    "{promised}.",
    "coin_long": "50: right by tossing a coin",
    "reached_long": "{reachable}: the best that anybody can reach on this map",
    "promised_long": "{promised}: the promise, for every map and every attacker",
    "promised_none": "no promise: nothing is protected",
    "odds_none": "Of 100 guesses all 100 are right, because nothing is protected.",
    "dial_none": "Without protection every guess is right, **100 of 100**. The five best places for charging "
    "stations (white) stay where they are. Now turn the dial.",
    "game_none": "Without protection the computer is right **every time**, and so are you: the squares say it.",
    "questions_title": "What people ask",
    "prior": "How sure is somebody beforehand, in percent?",
    "belief": "Who is **{prior} %** sure that Mara is in the data, and sees a map at the level “{level}”, can be at "
    "most "
    "**{high} %** sure afterwards, and at least **{low} %**. This holds whether she is in the data or not.",
    "level": "Level",
    "at_least": "At least, %",
    "at_most": "At most, %",
}

DOORS = {"home": "Her door", "work": "Her office", "clinic": "A clinic", "friend": "A friend", "museum": "A museum"}

# When, what, and whether a neighbour does not know it.
WEEK = (
    ("Mon to Fri, 8:10", "from her door to her office", False),
    ("Mon to Fri, 17:30", "from her office to a clinic", True),
    ("Mon to Fri, 18:40", "from the clinic home", True),
    ("Thu and Sat night", "to a friend, and home again at 2 or 3 in the morning", True),
    ("Sun, 14:00", "to a museum", False),
)

OTHER_MORNINGS = {1: "once", 2: "twice"}
OTHER_MORNINGS_MORE = "{times} times"

QUESTIONS = (
    (
        "Why not just remove the names?",
        "Because a week is as good as a name. In the map without names two facts left **{names_both} of {codes} "
        "codes**. "
        "Names are what we use to find people; places and times do it as well.",
    ),
    (
        "Could someone find out where I live?",
        "Not from your own trips, where all of them are protected together. With them or without them the "
        "protected map comes out almost equally often, so it cannot show your door. What others know without "
        "your data, such as where houses stand, stays known.",
    ),
    (
        "What about my phone’s whole week?",
        "It depends on what is protected. Per trip, a week of 20 trips is guessed right up to **{trip_reachable} of "
        "100** "
        "times at the level “{level_name}”. Per person, with all 20 trips, **{person_reachable} of 100**. Ask whoever "
        "publishes: is a trip protected, or am I? Trips beyond the stated number are left out before anything is "
        "counted.",
    ),
    (
        "Who checks this?",
        "Anybody can. The mathematical proof, the program and our attacks on it are public; the page Evidence says "
        "who read which proof, in which role, and when. A release can carry a digital signature: anybody can check "
        "with it, without the data, that nothing was changed.",
    ),
    (
        "And what about next month?",
        "Every further map gives away more about the same people, and that adds up. So a limit is fixed "
        "beforehand. A ledger counts every map before it is made and gives nothing back. When the limit is "
        "reached, nothing more is published.",
    ),
    (
        "What do we lose?",
        "Small things. At the level “{level_name}” five charging stations move by {shift} m, and squared distances to "
        "the nearest one add up to {worse} more. But a single square is only good to about **{noise} trips** up or "
        "down. Who needs to know whether 3 or 12 people came to one corner does not learn it here. That is the point.",
    ),
    (
        "What if someone already suspects?",
        "Then the map can make them only a little more sure, or less. Set how sure they are beforehand:",
    ),
)
