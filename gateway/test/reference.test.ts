import { apiOperations } from '@event-api/contracts/http/operations';
import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { docsPaths } from '../src/docs/docs.routes.ts';
import { gateway, useGateway } from './context.ts';
import { expectEnvelope } from './raw.ts';

useGateway();

const stranger = () => httpClient(gateway.apiUrl);

describe.each(['/openapi.json', '/docs/'])('%s', (path) => {
  test('needs no key and ignores one', async () => {
    const { status, body } = await stranger()('GET', path);
    expect(status).toBe(200);
    const { secret, key } = await gateway.createKey();
    await gateway.run('key.revoke', { id: key.id });
    for (const authorization of [`Bearer ${secret}`, 'Bearer nonsense', 'Basic eA==']) {
      const response = await stranger()('GET', path, { headers: { authorization } });
      expect([response.status, response.body]).toEqual([200, body]);
      expect(response.headers['x-ratelimit-limit']).toBeUndefined();
    }
  });

  test('carries a request id and the current version', async () => {
    const { headers } = await stranger()('GET', path);
    expect(headers['request-id']).toMatch(/^req_[0-9a-z]{26}$/);
    expect(headers['service-version']).toBe('2026-08-22');
  });
});

describe('the document', () => {
  const document = async () => (await stranger()('GET', '/openapi.json')).body;

  test('is OpenAPI 3.1 and lists exactly the operations of the contracts', async () => {
    const { openapi, paths } = await document();
    expect(openapi).toMatch(/^3\.1\./);
    const listed = Object.entries(paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = apiOperations.map(
      ({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(listed.sort()).toEqual(declared.sort());
  });

  test('lists exactly the mounted routes under /v1', async () => {
    const { paths } = await document();
    const { client } = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
    for (const [path, item] of Object.entries(paths as Record<string, object>)) {
      const listed = Object.keys(item).map((method) => method.toUpperCase());
      const { status, headers } = await client('DELETE', path.replace(/\{\w+\}/g, 'some_id'));
      expect(status, path).toBe(405);
      const mounted = headers.allow?.split(', ').filter((method) => method !== 'HEAD');
      expect(mounted, path).toEqual(listed.sort());
    }
    // The routes of the router itself, which no declaration can hide.
    const listed = Object.entries(paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const all = mountedRoutes(gateway.api.printRoutes({ commonPrefix: false }));
    // Browsers ask before they send a claim.
    const preflights = ['OPTIONS /v1/claims', 'OPTIONS /v1/claims/{seatId}/assign'];
    expect(all).toEqual(expect.arrayContaining(preflights));
    const served = all.filter((route) => !preflights.includes(route));
    // The router prints parameters of two routes at the same place as one.
    const unnamed = (route: string) => route.replace(/\{[^/]+\}/g, '{}');
    expect(
      served
        .filter((route) => route.includes(' /v1'))
        .map(unnamed)
        .sort(),
    ).toEqual(listed.map(unnamed).sort());
    const rest = served.filter((route) => !route.includes(' /v1'));
    expect(rest.sort()).toEqual(
      [
        'GET /openapi.json',
        ...docsPaths.map((path) => `GET ${path}`),
        'GET /docs/client.tgz',
        'GET /scanner',
        'GET /scanner/',
        'GET /scanner/assets/{file}',
        'GET /scanner/{file}',
        'POST /payments/notifications/{provider}',
        'POST /payments/notifications/{provider}/{businessUnitId}',
      ].sort(),
    );
  });

  test('contains nothing about operators', async () => {
    expect(JSON.stringify(await document())).not.toContain('/operator');
  });
});

describe('the reference', () => {
  test.each(['/', '/docs'])('redirects from %s', async (path) => {
    const response = await fetch(new URL(path, gateway.apiUrl));
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/docs/']);
  });

  test('loads nothing from another host', async () => {
    const { body: html } = await stranger()('GET', '/docs/');
    const loaded = [...html.matchAll(/(?:src|href|action|url)\s*[=(:]\s*["']?([^"'\s>)]+)/gi)];
    const addresses = loaded.map(([, address]) => new URL(address, `${gateway.apiUrl}/docs/`));
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(address.origin).toBe(gateway.apiUrl);
    expect(html).not.toMatch(/https?:\/\/|["'(]\/\/\w/);
    for (const { pathname } of addresses) {
      expect((await stranger()('GET', pathname)).status, pathname).toBe(200);
    }
  });

  test('serves no other files', async () => {
    expectEnvelope(await stranger()('GET', '/docs/../main.ts'), 404);
    expectEnvelope(await stranger()('GET', '/docs/..%2f..%2fpackage.json'), 404);
    expectEnvelope(await stranger()('GET', '/docs/nothing'), 404);
  });
});

/**
 * Parses the routes from the router's printed tree, in the syntax of the document and without HEAD.
 */
function mountedRoutes(tree: string): string[] {
  const path: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const drawn = /^([│ ]*)[├└]── (\S*) ?(?:\((.*)\))?$/.exec(line);
    if (!drawn) return [];
    const [, indent = '', segment = '', methods = ''] = drawn;
    path.splice(indent.length / 4, Number.POSITIVE_INFINITY, segment);
    const url = path.join('').replace(/:(\w+)/g, '{$1}');
    const declared = methods.split(', ').filter((method) => method !== 'HEAD' && method !== '');
    return declared.map((method) => `${method} ${url}`);
  });
}

describe.each(['/openapi.json', '/docs/', '/docs/js/scalar.js'])('the asset %s', (path) => {
  const read = (headers: Record<string, string> = {}) =>
    fetch(new URL(path, gateway.apiUrl), { headers });

  test('is sent compressed or uncompressed, as the client prefers', async () => {
    const plain = await read({ 'accept-encoding': 'identity' });
    const packed = await read({ 'accept-encoding': 'br, gzip;q=0.8' });
    const refused = await read({ 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(refused.headers.get('content-encoding')).toBeNull();
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toBe('accept-encoding');
    expect(plain.headers.get('vary')).toBe('accept-encoding');
    const text = await plain.text();
    expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect((await packed.text()) === text).toBe(true);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(text.length);
  });

  test('can be cached, and returns 304 to a client that has it', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const first = await read({ 'accept-encoding': encoding });
      await first.arrayBuffer();
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await read({ 'accept-encoding': encoding, 'if-none-match': ifNoneMatch });
        expect([again.status, await again.text()]).toEqual([304, '']);
        expect(again.headers.get('etag')).toBe(etag);
      }
      const other = await read({ 'accept-encoding': encoding, 'if-none-match': '"other"' });
      await other.arrayBuffer();
      expect(other.status).toBe(200);
    }
  });

  test('has the same headers and no body in a response to HEAD', async () => {
    const options = { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } };
    const head = await fetch(new URL(path, gateway.apiUrl), options);
    const get = await read({ 'accept-encoding': 'gzip' });
    await get.arrayBuffer();
    for (const name of ['content-length', 'content-encoding', 'content-type', 'etag']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(await head.text()).toBe('');
  });
});

describe('the pages of the reference', () => {
  test.each(['/docs/', '/docs/js/scalar.js'])('%s carries a strict policy', async (path) => {
    const { headers } = await stranger()('GET', path);
    const policy = headers['content-security-policy'] ?? '';
    for (const directive of [
      "default-src 'none'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(directive);
    }
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe-eval');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
});

describe('any other method on the reference', () => {
  for (const path of ['/', '/openapi.json', '/docs', '/docs/', '/docs/js/scalar.js']) {
    test(`${path} returns 405 with the allowed methods`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await stranger()(method, path);
        expectEnvelope(response, 405);
        expect(response.headers.allow).toBe('GET, HEAD');
      }
    });
  }
});
