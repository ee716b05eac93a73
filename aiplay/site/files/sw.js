// The service worker: keeps all files of the site, so that it works without a connection. A new version of the site has
// another list (site/files.js); it is loaded beside the old one, and used from the next visit on.

importScripts("site/files.js");

const { cacheName, prefix, sizes } = self.AIPLAY_FILES;
const address = (name) => new URL(name, self.registration.scope).href;

async function fill() {
  const cache = await caches.open(cacheName);
  for (const name of [...Object.keys(sizes), "site/files.js"]) { // the list does not name itself
    if (!(await cache.match(address(name)))) await cache.add(new Request(address(name), { cache: "no-cache" }));
  }
}

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
  await self.clients.claim();
}

async function answer(request) {
  const url = new URL(request.url);
  url.hash = "";
  url.search = "";
  if (url.href === self.registration.scope) url.pathname += "index.html";
  const cache = await caches.open(cacheName);
  return (await cache.match(url.href)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
