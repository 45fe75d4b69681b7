// @ts-check
// What the map shows in every scene and at every step of it. The words come from the server; here is only the look.

// Where the map looks so that these doors are seen, and which labels they bear.
const doors = (city, words, ...names) => Object.fromEntries(names.map(name => [name, words.doors[name]]));

export function wish(theatre) {
  const { city, data, words, scene, beat } = theatre;
  const all = ['home', 'work', 'clinic', 'friend', 'museum'];
  const both = city.around(['home', 'work'], 1.9),
    three = city.around(['home', 'work', 'clinic'], 1.7);
  const week = city.around(all, 1.28);
  const balanced = { name: `stop-${data.default}`, ...data.stops[data.default] };
  const acts = {
    start: [{ trips: 1 }, { trips: 1, look: both, known: 1, labels: doors(city, words, 'home', 'work') }],
    names: [
      { trips: 1, look: city.home() },
      {
        trips: 1,
        look: city.around(['home'], 2.6),
        fade: 0.85,
        lit: data.found.names.fit_home,
        known: 1,
        labels: doors(city, words, 'home'),
      },
      {
        trips: 1,
        look: both,
        fade: 1,
        lit: data.found.names.fit_both,
        known: 1,
        labels: doors(city, words, 'home', 'work'),
      },
      {
        trips: 1,
        look: week,
        fade: 1,
        lit: data.found.names.fit_both,
        week: 1,
        known: 1,
        secret: 1,
        labels: doors(city, words, ...all),
      },
    ],
    rounded: [
      { trips: 1, round: 1, look: city.home() },
      {
        trips: 1,
        round: 1,
        look: both,
        fade: 1,
        lit: data.found.rounded.fit_both,
        known: 1,
        snap: 1,
        labels: doors(city, words, 'home', 'work'),
      },
      {
        trips: 1,
        round: 1,
        look: week,
        fade: 1,
        lit: data.found.rounded.hers,
        week: 1,
        known: 1,
        secret: 1,
        snap: 1,
        labels: doors(city, words, ...all),
      },
    ],
    five: [
      { lines: 1, trips: 0.25, round: 1, look: city.home() },
      { lines: 1, linesFade: 1, look: three, known: 1, snap: 1, labels: doors(city, words, 'home', 'work') },
      {
        lines: 1,
        linesFade: 1,
        look: three,
        known: 1,
        secret: 1,
        snap: 1,
        labels: doors(city, words, 'home', 'work', 'clinic'),
      },
    ],
    protected: [
      { grid: 1, look: city.home(), map: balanced },
      {
        grid: 1,
        look: city.around(['home'], 1.6),
        known: 1,
        map: balanced,
        framed: 'home',
        labels: asked(theatre, 'home'),
      },
      {
        grid: 1,
        look: city.around(['clinic'], 1.6),
        known: 1,
        secret: 1,
        map: balanced,
        framed: 'clinic',
        labels: asked(theatre, 'clinic'),
      },
    ],
    worlds: [
      { grid: 0.5, map: { name: 'exact', ...data.exact }, look: city.around(['home'], 1.3), labels: {} },
      { grid: 0.5, map: { name: 'trip', ...data.per_trip }, look: city.around(['home'], 1.3), labels: {} },
      { grid: 0.5, map: balanced, look: city.around(['home'], 1.3), labels: {} },
    ],
    game: [stopGrid(theatre, 0.35), stopGrid(theatre, 0.35)],
    dial: [{ ...stopGrid(theatre, 0.85), stations: 1 }],
    keeps: [
      { grid: 0.75, stations: 1, map: balanced, look: city.home() },
      { grid: 1, map: { name: 'morning', ...data.hours.morning }, look: city.home() },
      { grid: 1, map: { name: 'night', ...data.hours.night }, look: city.home() },
    ],
    end: [
      { grid: 1, map: balanced, look: both, known: 1, labels: doors(city, words, 'home', 'work') },
      { grid: 1, map: balanced, look: city.home() },
    ],
  };
  const { map, ...look } = acts[scene.name][Math.min(beat, acts[scene.name].length - 1)];
  return { lit: [], ...look, map };
}

function stopGrid({ data, stop, city }, strength) {
  const shown = stop === 0 ? { name: 'exact', ...data.exact } : { name: `stop-${stop - 1}`, ...data.stops[stop - 1] };
  return { grid: strength, map: shown, look: city.home(), labels: {} };
}

// A door with what the published map answers about its square.
function asked({ data, words }, name) {
  const [estimate, low, high] = data.stops[data.default].asked[name];
  const told = words.asked.replace('{estimate}', estimate).replace('{low}', Math.max(0, low)).replace('{high}', high);
  return { [name]: `${words.doors[name]}\n${told}` };
}
