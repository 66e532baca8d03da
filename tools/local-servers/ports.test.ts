import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { freePort } from './ports.ts';

const others: ChildProcess[] = [];
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
});

/** Starts a process that reserves a port of the range, does not listen on it, and keeps running. */
async function reserveInOtherProcess(lowest: number, highest: number) {
  const script = `
    const { freePort } = await import(${JSON.stringify(new URL('ports.ts', import.meta.url))});
    console.log(await freePort(${lowest}, ${highest}));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  others.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(String(line)) };
}

test('freePort returns no port that another running process has reserved', async () => {
  const lowest = await freePort();
  const highest = lowest + 1;
  const { child, port } = await reserveInOtherProcess(lowest, highest);
  expect(port).toBe(highest);
  await expect(freePort(lowest, highest)).rejects.toThrow('no free port');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await freePort(lowest, highest)).toBe(port);
});
