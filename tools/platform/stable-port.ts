import { join } from 'node:path';
import { freePort, portError } from '@event-api/local-servers/ports';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';

/** The port in the file `name` of `dataDir`. The first call chooses it, and a later one if another program uses it. */
export async function stablePort(dataDir: string, name: string): Promise<number> {
  const file = join(dataDir, name);
  const savedPort = Number(readTextFile(file) ?? 0);
  const isFree = savedPort > 0 && (await portError(savedPort)) === undefined;
  const port = isFree ? savedPort : await freePort();
  if (!isFree) writePrivateFile(file, String(port));
  return port;
}
