import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../responses/page-headers.ts';
import { createStaticAsset, type StaticAsset, sendAsset } from '../responses/static-asset.ts';
import { withBasePath } from './base-path.ts';
import { operationLink } from './operation-links.ts';
import { type SiteFile, sitePaths } from './site-paths.ts';

const ownFiles = ["script-src 'self'", "connect-src 'self'"];
const headers = pageHeaders([...ownFiles, "style-src 'self'", "img-src 'self'"]);
/** Scalar creates styles and pictures in the browser. */
const referenceHeaders = pageHeaders([
  ...ownFiles,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
]);

/** The paths that lead to another one. */
const redirects = {
  // A person who opens the address of the API in a browser looks for its documentation.
  '/': { to: '/docs/', status: 302 },
  '/docs': { to: '/docs/', status: 301 },
  '/docs/guides': { to: '/docs/guides/', status: 301 },
  // Browsers ask for it, whatever a page names.
  '/favicon.ico': { to: '/docs/assets/icon.svg', status: 301 },
} as const;

/** Every path of the documentation. */
export const docsPaths: readonly string[] = [...Object.keys(redirects), ...sitePaths];

/**
 * `/docs` and `/llms.txt`: the reference, the guides and the errors, for everyone. The pages load
 * nothing from other hosts. The first request prepares the files, because most gateways never serve
 * them. `basePath` is what browsers have before `/docs`.
 */
export function docsRoutes(
  app: FastifyInstance,
  operations: readonly Operation[],
  basePath: string,
): void {
  let loading: Promise<ReadonlyMap<string, StaticAsset>> | undefined;
  const load = () => {
    loading ??= loadAssets(operations, basePath).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  for (const [path, { to, status }] of Object.entries(redirects)) {
    app.get(path, (_request, reply) => reply.redirect(`${basePath}${to}`, status));
  }
  for (const path of sitePaths) {
    app.get(path, async (request, reply) => {
      const asset = (await load()).get(path) as StaticAsset;
      const ofPage = path === '/docs/' ? referenceHeaders : headers;
      return sendAsset(request, reply.headers(ofPage), asset);
    });
  }
}

/** Scalar's script gets its addresses from a page. */
const isOwn = (path: string): boolean => !path.startsWith('/docs/js/');

/**
 * Builds the files in a thread that ends: it takes seconds, and the grammars and Scalar's plugin keep
 * tens of megabytes.
 */
async function loadAssets(
  operations: readonly Operation[],
  basePath: string,
): Promise<ReadonlyMap<string, StaticAsset>> {
  const workerData = operations.map(operationLink);
  const worker = new Worker(new URL('./site-worker.ts', import.meta.url), { workerData });
  try {
    const [files]: SiteFile[][] = await once(worker, 'message');
    const assets = (files ?? []).map(
      async ({ path, contentType, text }): Promise<[string, StaticAsset]> => [
        path,
        await createStaticAsset(contentType, isOwn(path) ? withBasePath(text, basePath) : text),
      ],
    );
    return new Map(await Promise.all(assets));
  } finally {
    await worker.terminate();
  }
}
