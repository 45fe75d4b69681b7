// What noting.js leaves on a page, and the names that tests/browser/conftest.py replaces by numbers.

interface Window {
  noted: { changed: number; asked: number; begun: number; drawn: number; awaited: number; frames: number[] };
}
declare const NEW_SESSION: number;
declare const FILE_URLS_RESPONSE: number;
declare const RERUN_SCRIPT: number;
declare const FILE_URLS_REQUEST: number;
