/// <reference lib="webworker" />
// Keeps the files of the scanner, so that it opens without a network. It answers no request of the
// API.

/**
 * The files of this build with its version. The build writes it into this file; see vite.config.ts.
 */
declare const __SHELL__: { version: string; files: string[] };

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
const shell = __SHELL__;
/** The path of this file. Several cells share one origin, each with its own path (docs/cells.md). */
const page = new URL('./', location.href).pathname;
const prefix = `${page} `;
const current = prefix + shell.version;

/**
 * Fetches every file past the browser's cache. A missing one ends the installation: the former
 * version stays.
 */
async function install(): Promise<void> {
  const cache = await caches.open(current);
  try {
    await cache.addAll(shell.files.map((file) => new Request(file, { cache: 'no-cache' })));
  } catch (error) {
    await caches.delete(current);
    throw error;
  }
  await worker.skipWaiting();
}

/**
 * An open page of the former version may still load a part of it, so the newest two versions stay.
 */
async function removeOldVersions(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(prefix) && name !== current,
  );
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** The file of this version, of the version before, or of the platform. */
async function respond(request: Request): Promise<Response> {
  const cache = await caches.open(current);
  const key = request.mode === 'navigate' ? page : request;
  return (await cache.match(key)) ?? (await caches.match(key)) ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) =>
  event.waitUntil(removeOldVersions().then(() => worker.clients.claim())),
);
worker.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isShell = origin === location.origin && pathname.startsWith(page);
  if (method === 'GET' && isShell) event.respondWith(respond(event.request));
});
