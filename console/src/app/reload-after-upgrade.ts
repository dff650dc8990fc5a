/**
 * A page that was open while the platform was upgraded asks for parts that are there no more: it is loaded anew, once.
 * Whatever is wrong then is not that, and is told.
 */
const KEY = 'kairship.reloaded';
const AT_MOST_EVERY_MS = 60_000;

export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AT_MOST_EVERY_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
