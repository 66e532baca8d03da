import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './data-dir-lock.ts';

// Below the range from which systems take the ports of outgoing connections (Linux: 32768, others: 49152),
// so that nobody else can take a process's port while that process is being restarted.
const LOWEST = 15_000;
const HIGHEST = 29_999;

// A file for each port that was handed out, with the process that it was handed to: nobody listens yet while a platform
// starts, or for the moment in which one of its processes is away, and another platform must not take the port then.
const reservationsFolder = join(tmpdir(), `event-api-ports-${process.getuid?.() ?? 'all'}`);
const handedOut = new Set<number>();

process.once('exit', () => {
  for (const port of handedOut) rmSync(join(reservationsFolder, String(port)), { force: true });
});

/** A TCP port on which 127.0.0.1 has no listener now, and which nobody else is given while this process lives.
 *  Errors: when a hundred tries found none. */
export async function freePort(lowest = LOWEST, highest = HIGHEST): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest, highest + 1);
    if (!reservePort(port)) continue;
    handedOut.add(port);
    if ((await portError(port)) === undefined) return port;
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`);
}

/** Whether the port is ours from now on. That of a process that was killed is free at the next try. */
function reservePort(port: number): boolean {
  const file = join(reservationsFolder, String(port));
  try {
    mkdirSync(reservationsFolder, { recursive: true, mode: 0o700 });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    // Where nothing can be kept, a port is only as good as it was found.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return !handedOut.has(port);
  }
  if (!isAlive(ownerOf(file))) rmSync(file, { force: true });
  return false;
}

function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    // It has just ended.
    return process.pid;
  }
}

/** Tries to listen on 127.0.0.1:`port` for a moment: undefined where that works, else the system's error code
 *  (EADDRINUSE, EACCES, ...). */
export async function portError(port: number): Promise<string | undefined> {
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
