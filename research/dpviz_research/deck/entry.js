// What the stage needs of deck.gl. `build.py` beside this file makes `../web/deck.js` of it.

export { Deck, MapView, MapController, WebMercatorViewport } from '@deck.gl/core';
export { ArcLayer, BitmapLayer, IconLayer, LineLayer, PathLayer, PolygonLayer, ScatterplotLayer, SolidPolygonLayer, TextLayer } from '@deck.gl/layers';
