// Shows notifications on phones, and a page while the daemon is not running. Recorded data is never cached: requests
// go to the daemon, and only the files of that page are stored.

const CACHE_NAME = "hookline-not-running-1";
const CACHED_PATHS = ["/not-running.html", "/not-running.css", "/icon.svg"];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE_NAME)
      .then((cache) => cache.addAll(CACHED_PATHS.map((path) => new Request(path, { cache: "reload" }))))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE_NAME).map((name) => caches.delete(name))),
      )
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetchOrCached(request, CACHED_PATHS[0]));
  else if (CACHED_PATHS.includes(pathname)) event.respondWith(fetchOrCached(request, pathname));
});

function fetchOrCached(request, path) {
  return fetch(request).catch(async () => (await caches.match(path)) ?? Response.error());
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data ?? {};
  if (typeof path !== "string" || !path.startsWith("/s/")) return;
  event.waitUntil(
    clients.matchAll({ type: "window" }).then(async ([page]) => {
      if (page === undefined) return clients.openWindow(path);
      page.postMessage({ go: path });
      return page.focus();
    }),
  );
});
