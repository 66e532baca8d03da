import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '@event-api/platform/core/errors';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The names of files in this folder contain a hash of their content. */
const hashedFolder = '/assets/';

/**
 * Serves the built single-page application from `folder`. Every path without a file gets its start
 * page, which shows what the path means. Without a build, a page says so.
 */
export async function webFiles(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = () => existsSync(join(folder, 'index.html'));
  await app.register(fastifyStatic, {
    // The folder of each file is named when it is sent: a build may come later.
    root: import.meta.dirname,
    serve: false,
    cacheControl: false,
  });

  const sendStartPage = (reply: FastifyReply) =>
    isBuilt()
      ? reply.header('cache-control', 'no-cache').sendFile('index.html', folder)
      : reply
          .code(503)
          .header('cache-control', 'no-store')
          .type('text/html; charset=utf-8')
          .serializer(String)
          .send(missingBuildPage);

  app.get('/*', async (request, reply) => {
    const path = decodeURIComponent(request.url.split('?', 1)[0] ?? '/');
    if (path.startsWith('/api/')) throw notFound();
    if (isFile(folder, path)) {
      const isHashed = path.startsWith(hashedFolder);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      return reply.sendFile(path, folder);
    }
    // An old page requests an asset of an older build: a start page in its place would be no
    // script.
    if (path.startsWith(hashedFolder)) throw notFound();
    return sendStartPage(reply);
  });
}

/** Whether a path names a file of the build, and no other file of the machine. */
function isFile(folder: string, path: string): boolean {
  if (path === '/' || path.endsWith('/') || /(^|\/)\.|\\|\0/.test(path)) return false;
  return existsSync(join(folder, path));
}

const missingBuildPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>The console is not built</title></head>
<body>
<h1>The console is not built</h1>
<p>The server runs, but the folder of WEB_DIR has no index.html. console/web/README.md says how it is built.</p>
</body>
</html>
`;
