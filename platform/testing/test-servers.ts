import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Responds to `GET /postgres`, `/postgres-<process>`, `/redis` and `/nats` with the address of that
     * server, and to `/bundles` with a folder.
     */
    serversUrl: string;
    /** For files that are removed when the run ends. */
    runFolder: string;
  }
}

/**
 * Starts PostgreSQL, Redis or NATS and bundles the processes when the first test file needs them,
 * so that a run of pure tests starts nothing. Returns the function that stops them. They end with
 * vitest, also when it is killed; after a SIGKILL only their temporary folder remains.
 */
export default async function offerServers(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-test-'));
  const stops: (() => Promise<void>)[] = [];
  const urls = new Map<string, Promise<string>>();
  let bundling: Promise<unknown> = Promise.resolve();
  const urlOf = (name: string) => {
    // In a watching run the sources change. Two workers never bundle at the same time.
    if (name === 'bundles') {
      const bundled = bundling.then(bundle, bundle);
      bundling = bundled;
      return bundled;
    }
    const url = urls.get(name) ?? start(name, folder, stops);
    urls.set(name, url);
    return url;
  };
  const broker = createServer((request, response) => {
    urlOf((request.url ?? '').slice(1)).then(
      (url) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const { port } = broker.address() as AddressInfo;
  project.provide('serversUrl', `http://127.0.0.1:${port}`);
  project.provide('runFolder', folder);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Loads the code only for a run that needs it. */
async function bundle(): Promise<string> {
  return (await import('./bundles.ts')).bundleProcesses();
}

/** Loads the code only for a run that needs it. */
async function start(name: string, folder: string, stops: (() => Promise<void>)[]) {
  const { startServer } = await import('@event-api/local-servers/test-server');
  const { url, stop } = await startServer(name, folder);
  stops.push(stop);
  return url;
}
