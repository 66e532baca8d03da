import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCells } from './cells.ts';
import { haproxyConfig } from './haproxy.ts';
import { routePatch } from './http-route.ts';
import { nginxConfig } from './nginx.ts';

const repository = join(import.meta.dirname, '../..');

/** The files that route requests to the cells of `cells.json`, by their paths. */
export function routingFiles(): Record<string, string> {
  const cells = readCells();
  return {
    'deploy/cells/haproxy.cfg': haproxyConfig(cells),
    'deploy/cells/nginx.conf': nginxConfig(cells),
    'deploy/kubernetes/components/cells/route.yaml': routePatch(cells),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(routingFiles())) {
    writeFileSync(join(repository, path), text);
    console.log(path);
  }
}
