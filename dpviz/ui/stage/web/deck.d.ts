// The names that deck.js gives; the library itself is built without types.

export const Deck: any; export const MapView: any; export const WebMercatorViewport: any;
export const ArcLayer: any; export const BitmapLayer: any; export const IconLayer: any; export const LineLayer: any; export const PathLayer: any; export const PolygonLayer: any; export const ScatterplotLayer: any; export const SolidPolygonLayer: any; export const TextLayer: any;
