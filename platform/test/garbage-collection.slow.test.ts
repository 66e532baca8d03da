import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** What short-lived objects add to the old generation, in bytes. */
async function oldBytes(mode: 'configured' | 'default'): Promise<number> {
  const program = join(import.meta.dirname, 'processes/old-objects.ts');
  return Number((await run(process.execPath, [program, mode])).stdout);
}

test('short-lived objects stay young after earlier ones have survived collections', async () => {
  expect(await oldBytes('configured')).toBeLessThan(500_000);
});

test('they become old in a process without the settings, which are its negative control', async () => {
  // V8 compiles concurrently, so now and then a process learns too late about the objects that
  // survive.
  await expect.poll(() => oldBytes('default'), { timeout: 60_000 }).toBeGreaterThan(2_000_000);
});
