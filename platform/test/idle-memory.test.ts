import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/**
 * Starts a process that has created 60 MiB of garbage. Returns a function that reads the next size
 * of its heap.
 */
function startIdle(mode: 'collect' | 'keep'): () => Promise<number> {
  const program = join(import.meta.dirname, 'processes/idle.ts');
  const child = spawn(process.execPath, [program, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const lines = createInterface({ input: child.stdout });
  return async () => Number((await once(lines, 'line'))[0]);
}

test('an idle process returns the memory of its garbage', async () => {
  const heapSize = startIdle('collect');
  const before = await heapSize();
  await expect.poll(heapSize).toBeLessThan(before / 2);
});

test('without the check, which this negative control leaves out, it keeps the memory', async () => {
  const heapSize = startIdle('keep');
  const before = await heapSize();
  for (let n = 0; n < 10; n++) expect(await heapSize()).toBeGreaterThan(before / 2);
});
