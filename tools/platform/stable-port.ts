import { join } from 'node:path';
import { freePort, reserveIfFree } from '@event-api/local-servers/ports';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';

/**
 * The port in the file `name` of `dataDir`, reserved for this process. The first call chooses it,
 * and a later one if another program uses it.
 */
export async function stablePort(dataDir: string, name: string): Promise<number> {
  const file = join(dataDir, name);
  const savedPort = Number(readTextFile(file) ?? 0);
  if (savedPort > 0 && (await reserveIfFree(savedPort))) return savedPort;
  const port = await freePort();
  writePrivateFile(file, String(port));
  return port;
}
