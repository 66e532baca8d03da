import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startGateway } from './harness.ts';

test('the package is a 404 before it is built, then its bytes', async () => {
  const file = join(mkdtempSync(join(inject('runFolder'), 'client-')), 'client.tgz');
  const gateway = await startGateway({ catalogUrl: 'http://127.0.0.1:1', clientPackage: file });
  onTestFinished(() => gateway.stop());
  const get = () => fetch(`${gateway.apiUrl}/docs/client.tgz`);
  const missing = await get();
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { status: 'NOT_FOUND' } });
  const bytes = Buffer.from([0x1f, 0x8b, 1, 2, 3]);
  writeFileSync(file, bytes);
  const built = await get();
  expect(built.headers.get('content-type')).toBe('application/gzip');
  expect(Buffer.from(await built.arrayBuffer())).toEqual(bytes);
});
