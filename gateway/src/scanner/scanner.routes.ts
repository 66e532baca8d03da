import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { notFound } from '@event-api/platform/core/errors';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../responses/page-headers.ts';
import { createStaticAsset, type StaticAsset, sendAsset } from '../responses/static-asset.ts';

/** The page uses the camera, compiles the reader of codes, and talks to its own origin only. */
const headers = {
  ...pageHeaders([
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
  ]),
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/** Names of files in `assets/` contain a hash of their content. */
const immutable = 'public, max-age=31536000, immutable';
const revalidated = 'no-cache';

/**
 * `/scanner/`: the web app of the doors, built from console/scanner into `folder`. It needs no key:
 * the app sends the token of its device. The first request reads all files into memory, because
 * most gateways never serve them. `basePath` is what browsers have before `/scanner/`. Errors: 404
 * for every other path, and for all of them without a build.
 */
export function scannerRoutes(
  app: FastifyInstance,
  { folder, basePath }: { folder: string; basePath: string },
): void {
  let loading: Promise<ReadonlyMap<string, StaticAsset>> | undefined;
  const load = () => {
    loading ??= readAssets(folder).catch((error) => {
      // A build may come later.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const find = async (path: string): Promise<StaticAsset> => {
    const assets = await load().catch(() => null);
    const asset = assets?.get(path);
    if (!asset) throw notFound();
    return asset;
  };

  app.get('/scanner', (_request, reply) => reply.redirect(`${basePath}/scanner/`, 301));
  app.get('/scanner/', async (request, reply) =>
    sendAsset(request, reply.headers(headers), await find('index.html'), revalidated),
  );
  app.get('/scanner/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    return sendAsset(request, reply.headers(headers), await find(file), revalidated);
  });
  app.get('/scanner/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    return sendAsset(request, reply.headers(headers), await find(`assets/${file}`), immutable);
  });
}

/**
 * The files of the build by their paths, with `/` between folders. Errors: a folder without a start
 * page.
 */
async function readAssets(folder: string): Promise<ReadonlyMap<string, StaticAsset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (!files.some(({ name }) => name === 'index.html')) throw new Error(`${folder} has no build`);
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, StaticAsset]> => {
        const path = join(parentPath, name);
        const type = contentTypes[extname(name)] ?? 'application/octet-stream';
        const asset = await createStaticAsset(type, await readFile(path));
        return [relative(folder, path).split(sep).join('/'), asset];
      }),
    ),
  );
}
