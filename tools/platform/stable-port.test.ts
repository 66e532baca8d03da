import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dataDir: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'event-api-stable-port-'));
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

/** The stable port of a new process, which keeps running. */
async function portOfOtherProcess(): Promise<{ child: ChildProcess; port: number }> {
  const script = `
    const { stablePort } = await import(${JSON.stringify(new URL('stable-port.ts', import.meta.url))});
    console.log(await stablePort(${JSON.stringify(dataDir)}, 'port'));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  others.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(String(line)) };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('the port stays the same when the platform was killed', async () => {
  const first = await portOfOtherProcess();
  await end(first.child);
  expect((await portOfOtherProcess()).port).toBe(first.port);
});

test('a saved port is reserved, so that no other platform chooses it before the listener starts', async () => {
  const first = await portOfOtherProcess();
  await end(first.child);
  const { port } = await portOfOtherProcess();
  await expect(freePort(port, port)).rejects.toThrow('no free port');
});

test('another port is chosen when a program listens on the saved port', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: used } = server.address() as { port: number };
  writeFileSync(join(dataDir, 'port'), String(used));
  expect((await portOfOtherProcess()).port).not.toBe(used);
  server.close();
});
