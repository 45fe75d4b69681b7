// What the server hands to the stage: the header that dpviz/ui/stage/wire.py writes and columns.js reads.

/** Where a column starts and how many numbers it has. */
export type Column = [start: number, length: number];
export type Read = (column: Column) => Float32Array;

export interface Tip {
  text: string;
  numbers: Column;
  places: Column | null;
  names: string[];
  elsewhere: string;
  language: string;
  millions: string;
}

/** One mark of a short layer: a place, a number, a text. */
export interface Row {
  p: [lon: number, lat: number];
  n?: number;
  t?: string;
  tip?: string;
  large?: boolean;
  credit?: boolean;
  scale?: boolean;
}

/** A layer as pydeck describes it, with rows, or with the columns of a long layer. */
export interface Layer {
  '@@type': string;
  id: string;
  order: number;
  shows: string[];
  data?: Row[];
  length?: number;
  columns?: Record<string, { at: Column; size: number }>;
  tip?: Tip;
  image?: string;
  bounds?: [west: number, south: number, east: number, north: number];
  [option: string]: any;
}

export interface Center {
  number: number;
  name: string;
  lon: number;
  lat: number;
  around: { west: number; south: number; east: number; north: number } | null;
}

export interface Stop {
  layers: Layer[];
  alt: string;
  centers: Center[];
  told: Record<string, string>;
  tables: any[];
  shades: { told: string[]; opaque: number[]; colours: string[] } | null;
  line: string;
  swap: string;
  reason: any;
}

export interface Scene {
  id: string;
  kind: 'scene';
  stage: string;
  turn: number;
  level: number;
  about: string;
  place: string;
  box: [west: number, south: number, east: number, north: number];
  ground: string;
  watermark: string;
  note: string;
  hits: boolean;
  together: string;
  picked: number | null;
  legend: { name: string; label: string; picture: string; help: string }[];
  shown: string[];
  absent: string[];
  base: Layer[];
  stops: (Stop | null)[];
  column: Read;
}

export interface News {
  id: string;
  kind: 'news';
  stage: string;
  figures: any;
  curves: any[];
  accept: any;
  levels: any;
  chance: any;
  column: Read;
}

/** Where a map looks. */
export interface Camera {
  longitude: number;
  latitude: number;
  zoom: number;
  moved?: boolean;
}
