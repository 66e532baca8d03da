import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generate, generatedFolder } from '../scripts/generate.ts';

const read = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

test('the generated code is that of contracts/openapi.json: pnpm generate in clients/typescript updates it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await generate(join(folder, 'generated'));
  expect(read(join(folder, 'generated'))).toEqual(read(generatedFolder));
});
