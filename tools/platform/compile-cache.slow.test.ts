import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fillCompileCache } from './compile-cache.ts';

test('the code of all processes is compiled once, and not again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-compile-cache-'));
  vi.stubEnv('NODE_COMPILE_CACHE', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const { signal } = new AbortController();
  await fillCompileCache(signal);
  // The mark is written only if every module was loaded.
  expect(readdirSync(folder)).toContain(`filled-${process.version}`);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('filled')) rmSync(join(folder, name), { recursive: true });
  }
  await fillCompileCache(signal);
  expect(readdirSync(folder)).toEqual([`filled-${process.version}`]);
});
