import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startGateway, type TestGateway } from './harness.ts';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(inject('runFolder'), 'scanner-'));
  gateway = await startGateway({ catalogUrl: 'http://127.0.0.1:1', scannerFolder: folder });
});
afterAll(() => gateway?.stop());

const get = (path: string, headers = {}) => httpClient(gateway.apiUrl)('GET', path, { headers });

test('every path is a 404 before the scanner is built', async () => {
  for (const path of ['/scanner/', '/scanner/icon.svg', '/scanner/assets/main.js']) {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
  }
});

test('the files of the build are served without a key, with a policy that allows the camera', async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Scanner</title>');
  writeFileSync(join(folder, 'assets/main-1.js'), 'main()');
  writeFileSync(join(folder, 'assets/reader-1.wasm'), '\0asm');
  expect(await get('/scanner')).toMatchObject({
    status: 301,
    headers: { location: '/scanner/' },
  });
  const page = await get('/scanner/');
  expect(page).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
      'x-frame-options': 'DENY',
    },
  });
  expect(page.headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'");
  const script = await get('/scanner/assets/main-1.js');
  expect(script).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  });
  const etag = script.headers.etag ?? '';
  expect((await get('/scanner/assets/main-1.js', { 'if-none-match': etag })).status).toBe(304);
  const reader = await get('/scanner/assets/reader-1.wasm');
  expect(reader.headers['content-type']).toBe('application/wasm');
});

test('no path leads to a file outside of the build', async () => {
  writeFileSync(join(folder, '..', 'outside.txt'), 'outside');
  for (const path of [
    '/scanner/..%2foutside.txt',
    '/scanner/assets/..%2f..%2foutside.txt',
    '/scanner/missing.js',
    '/scanner/assets/missing.js',
  ]) {
    expect((await get(path)).status).toBe(404);
  }
});
