import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../responses/page-headers.ts';
import { createStaticAsset, type StaticAsset, sendAsset } from '../responses/static-asset.ts';
import { allowedSources } from './csp.ts';
import { readScalarFiles } from './scalar.ts';

interface DocsAssets {
  page: StaticAsset;
  script: StaticAsset;
  headers: Record<string, string>;
}

/**
 * `/docs`: the interactive reference, to which `/` redirects. The gateway serves all files, and the
 * page loads nothing from other hosts. The first request prepares the files, because most gateways
 * never serve them.
 */
export function docsRoutes(app: FastifyInstance): void {
  let loading: Promise<DocsAssets> | undefined;
  const load = () => {
    loading ??= loadAssets();
    return loading;
  };

  // A person who opens the address of the API in a browser looks for its documentation.
  app.get('/', (_request, reply) => reply.redirect('/docs/', 302));
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', async (request, reply) => {
    const { page, headers } = await load();
    return sendAsset(request, reply.headers(headers), page);
  });
  app.get('/docs/js/scalar.js', async (request, reply) => {
    const { script, headers } = await load();
    return sendAsset(request, reply.headers(headers), script);
  });
}

async function loadAssets(): Promise<DocsAssets> {
  const { html, script } = await readScalarFiles();
  return {
    page: await createStaticAsset('text/html; charset=utf-8', html),
    script: await createStaticAsset('application/javascript; charset=utf-8', script),
    headers: pageHeaders(allowedSources(html)),
  };
}
