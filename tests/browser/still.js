// @ts-check
// Whether everything that was asked for is there, and nothing has changed for so many milliseconds.
quiet => {
  const app = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid=stApp]'));
  if (!app || app.dataset.testScriptState !== 'notRunning') return false;
  if (document.querySelector('[data-stale=true], [data-testid=stSpinner], [data-testid=stSkeleton]')) return false;
  if (document.querySelector('[data-telling]')) return false; // the stage has yet to tell the server
  const { changed, asked, begun, drawn, awaited } = window.noted;
  if (begun < asked || awaited) return false; // a run that was asked for has not begun
  if (document.querySelector('[data-testid=stDeckGlJsonChart], .dpv-map') && !drawn) return false;
  return performance.now() - Math.max(changed, drawn) > quiet;
};
