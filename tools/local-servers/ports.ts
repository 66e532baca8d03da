import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './data-dir-lock.ts';

// Below the range for the ports of outgoing connections (Linux: from 32768, others: from 49152), so
// that no outgoing connection uses the port of a process while that process restarts.
const LOWEST = 15_000;
const HIGHEST = 29_999;

// One file for each reserved port, with the id of the process that reserved it. While a platform
// starts or restarts a process, no listener protects the port from another platform.
const reservationsFolder = join(tmpdir(), `event-api-ports-${process.getuid?.() ?? 'all'}`);
const reserved = new Set<number>();

process.once('exit', () => {
  for (const port of reserved) rmSync(join(reservationsFolder, String(port)), { force: true });
});

/**
 * Reserves a TCP port without a listener on 127.0.0.1. No other process gets it from this module
 * while this process runs. Errors: after 100 attempts without a free port.
 */
export async function freePort(lowest = LOWEST, highest = HIGHEST): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest, highest + 1);
    if (await reserveIfFree(port)) return port;
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`);
}

/**
 * Reserves this TCP port, as `freePort` does. Returns whether it is reserved: not if another
 * process reserved it or listens on it, and not if this process reserved it before.
 */
export async function reserveIfFree(port: number): Promise<boolean> {
  if (!reservePort(port)) return false;
  reserved.add(port);
  return (await portError(port)) === undefined;
}

function reservePort(port: number): boolean {
  const file = join(reservationsFolder, String(port));
  try {
    mkdirSync(reservationsFolder, { recursive: true, mode: 0o700 });
    if (existsSync(file) && !isAlive(ownerOf(file))) rmSync(file, { force: true });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    // Without a writable temporary folder there are no reservations between processes.
    return (error as NodeJS.ErrnoException).code !== 'EEXIST' && !reserved.has(port);
  }
}

function ownerOf(file: string): number {
  try {
    const owner = readFileSync(file, 'utf8');
    // An empty file was created just now, and its owner has not written its id yet.
    return owner === '' ? process.pid : Number(owner);
  } catch {
    // The owner has just ended and removed the file.
    return process.pid;
  }
}

/**
 * Listens on 127.0.0.1:`port` briefly. Returns undefined if that works, otherwise the system's
 * error code (EADDRINUSE, EACCES, ...).
 */
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
