import { readFile } from 'node:fs/promises';
import { notFound } from '@event-api/platform/core/errors';
import type { FastifyInstance } from 'fastify';
import { createStaticAsset, type StaticAsset, sendAsset } from '../responses/static-asset.ts';

/** The address for `npm install`. */
export const clientPackagePath = '/docs/client.tgz';

/**
 * `GET /docs/client.tgz`: the client library that belongs to this gateway, as a package that npm
 * installs from the address. It needs no key. The first request reads the file, because most
 * gateways never serve it. Errors: 404 without a build.
 */
export function clientPackageRoute(app: FastifyInstance, file: string): void {
  let loaded: StaticAsset | undefined;
  app.get(clientPackagePath, async (request, reply) => {
    const bytes = loaded ? null : await readFile(file).catch(() => null);
    if (bytes) loaded = await createStaticAsset('application/gzip', bytes);
    // A build may come later.
    if (!loaded) throw notFound();
    return sendAsset(request, reply, loaded);
  });
}
