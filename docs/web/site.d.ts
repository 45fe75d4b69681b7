// What pages.js and versions.js of the site bring (docs/build_site.py writes them).

interface Page {
  place: string;
  title: string;
  text: string;
}
declare const PAGES: Page[];
declare const VERSIONS: [name: string, place: string][];
