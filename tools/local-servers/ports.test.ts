import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { freePort } from './ports.ts';

const others: ChildProcess[] = [];
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
});

/**
 * Starts a process that reserves a port of the range, does not listen on it, and keeps running.
 * Returns null if the range has no free port.
 */
async function reserveInOtherProcess(lowest: number, highest: number) {
  const script = `
    const { freePort } = await import(${JSON.stringify(new URL('ports.ts', import.meta.url))});
    console.log(await freePort(${lowest}, ${highest}));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  others.push(child);
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return Buffer.isBuffer(line) ? { child, port: Number(String(line)) } : null;
}

/** Two neighboring ports: the first reserved by this process, the second by another. */
async function reserveTwo() {
  for (let attempt = 0; attempt < 20; attempt++) {
    const lowest = await freePort();
    const other = await reserveInOtherProcess(lowest, lowest + 1);
    if (other) return { ...other, lowest };
  }
  throw new Error('found no two neighboring free ports');
}

test('freePort returns no port that another running process has reserved', async () => {
  const { lowest, child, port } = await reserveTwo();
  const highest = lowest + 1;
  expect(port).toBe(highest);
  await expect(freePort(lowest, highest)).rejects.toThrow('no free port');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await freePort(lowest, highest)).toBe(port);
});
