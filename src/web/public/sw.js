// For two things: notices on phones, and an honest page while the daemon does not run. Nothing that anybody recorded
// is ever kept here: requests go to the daemon, and only the parts of that one page are stored.

const STORE = "hookline-not-running-1";
const KEPT = ["/not-running.html", "/not-running.css", "/icon.svg"];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(STORE)
      .then((store) => store.addAll(KEPT.map((path) => new Request(path, { cache: "reload" }))))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(orKept(request, KEPT[0]));
  else if (KEPT.includes(pathname)) event.respondWith(orKept(request, pathname));
});

function orKept(request, path) {
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
