// Keeps the page's files whose names carry their hash, and nothing else: no page, no answer of the daemon. So what
// is shown is never older than the daemon. A click on a notification opens the question it is about.
const KEPT = "deputy-files-1";
const MOST_KEPT = 120;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith("/assets/"))
    return;
  event.respondWith(fromCache(request));
});

async function fromCache(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const keys = await cache.keys();
    for (const old of keys.slice(0, Math.max(keys.length - MOST_KEPT, 0))) await cache.delete(old);
  }
  return response;
}

// A push says what it is about; whatever it says, a click only opens a place of this page.
self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    // Something must be shown for each push, or the browser ends them.
  }
  const text = (value, otherwise) => (typeof value === "string" && value !== "" ? value : otherwise);
  const tag = text(said.tag, "deputy");
  event.waitUntil(
    (async () => {
      const shown = await self.registration.getNotifications({ tag });
      await self.registration.showNotification(text(said.title, "Deputy"), {
        body: text(said.body, ""),
        tag,
        data: { hash: text(said.url, "#/") },
        icon: "/icon-waiting.svg",
        silent: shown.length > 0,
      });
    })(),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const id = String(event.notification.tag);
  const hash = event.notification.data?.hash ?? `#/approvals?q=${encodeURIComponent(id)}`;
  event.waitUntil(
    (async () => {
      const [open] = await self.clients.matchAll({ type: "window" });
      if (open === undefined) {
        await self.clients.openWindow(`/${hash.startsWith("#/") ? hash : "#/"}`);
        return;
      }
      if (/^(?:cal|pln)_\w+$/.test(id)) open.postMessage({ open: id });
      await open.focus();
    })(),
  );
});
