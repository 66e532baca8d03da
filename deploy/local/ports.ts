import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range from which systems take the ports of outgoing connections (Linux: 32768, others: 49152),
// so that nobody else can take a process's port while that process is being restarted.
const LOWEST = 15_000;
const HIGHEST = 29_999;

const handedOut = new Set<number>();

/** A TCP port on which 127.0.0.1 has no listener now; never the same one twice in this process.
 *  Errors: when a hundred tries found none. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (handedOut.has(port) || (await whyPortCannotBeUsed(port)) !== undefined) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
}

/** Tries to listen on 127.0.0.1:`port` for a moment: undefined where that works, else the system's error code
 *  (EADDRINUSE, EACCES, ...). */
export async function whyPortCannotBeUsed(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}
