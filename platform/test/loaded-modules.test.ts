import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('a process with a server and a client loads no compilers of JSON schemas and no fetch', async () => {
  const program = join(import.meta.dirname, 'processes/loaded-modules.ts');
  const { stdout } = await run(process.execPath, [program]);
  const packages = stdout.split('\n').map((path) => path.replace(/^.*node_modules\//, ''));
  expect(packages).toContain('undici/lib/dispatcher/agent.js');
  const unused =
    /^(ajv\/|fast-json-stringify\/index|undici\/index|undici\/lib\/(web|mock|cache)\/)/;
  expect(packages.filter((path) => unused.test(path))).toEqual([]);
});
