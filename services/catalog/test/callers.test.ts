import type { Audience } from '@event-api/contracts/operation';
import { fixedClock } from '@event-api/platform/core/clock';
import { newId } from '@event-api/platform/core/ids';
import { createCallerSigner } from '@event-api/platform/http/caller-tokens';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestEvent, succeeded } from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.close());

/** A token with the issuer `issuer`, signed with the key of `signedBy`. */
async function token(
  options: { issuer?: string; signedBy?: string; audience?: Audience; secondsAgo?: number } = {},
): Promise<string> {
  const { issuer = 'gateway', signedBy = issuer, audience = 'api', secondsAgo = 0 } = options;
  const signer = await createCallerSigner({
    issuer,
    privateJwk: catalog.callers.privateJwks[signedBy] ?? {},
    clock: fixedClock(new Date(Date.now() - secondsAgo * 1000)),
  });
  return signer.sign({ audience, businessUnitId: newId('unit'), defaultCurrency: 'EUR' });
}

const strangers = async () => {
  const signer = await (await createTestCallers()).signer('gateway');
  return signer.sign({ audience: 'api', businessUnitId: newId('unit'), defaultCurrency: 'EUR' });
};

const bad: [what: string, make: () => Promise<string | undefined>][] = [
  ['no token', async () => undefined],
  ['an empty token', async () => ''],
  ['garbage', async () => 'garbage'],
  ['an API key', async () => `sk_live_${'a'.repeat(32)}`],
  ['a token for operators', () => token({ issuer: 'admin', audience: 'operator' })],
  ['a token for services', () => token({ issuer: 'catalog', audience: 'service' })],
  ['a token that its issuer may not sign', () => token({ issuer: 'admin' })],
  ["a token of a service in an integrator's name", () => token({ issuer: 'catalog' })],
  ["another issuer's signature", () => token({ signedBy: 'admin' })],
  ['a key that nobody knows', strangers],
  ['an expired token', () => token({ secondsAgo: 365 })],
  ['a token of the future', () => token({ secondsAgo: -365 })],
];

const targets = [
  ['GET', '/v1/events', 200],
  ['POST', '/v1/events', 400],
  ['GET', '/v1/events/evt_none', 404],
  ['GET', '/v1/nothing/here', 404],
  ['GET', '/', 404],
  ['DELETE', '/v1/events', 404],
] as const;

describe.each(targets)('%s %s', (method, path, validStatus) => {
  test.each(bad)('is a 401 with %s', async (_what, createToken) => {
    const caller = await createToken();
    const headers: Record<string, string> = caller === undefined ? {} : { 'x-caller': caller };
    const {
      status,
      body,
      headers: responseHeaders,
    } = await httpClient(catalog.apiUrl, headers)(
      method,
      path,
      method === 'POST' ? { raw: '{' } : {},
    );
    expect(status).toBe(401);
    expect(body).toEqual({
      error: { code: 401, status: 'UNAUTHENTICATED', message: 'A valid API key is required' },
    });
    expect(responseHeaders['www-authenticate']).toBe('Bearer');
    expect(responseHeaders['content-type']).toBe('application/json; charset=utf-8');
  });

  test('accepts a valid token, also with a clock skew of minutes', async () => {
    for (const secondsAgo of [0, 350, -290]) {
      const client = httpClient(catalog.apiUrl, { 'x-caller': await token({ secondsAgo }) });
      const { status } = await client(method, path, method === 'POST' ? { raw: '{' } : {});
      expect(status).toBe(validStatus);
    }
  });
});

describe('a caller', () => {
  test('reads and creates only events of the business unit in its token', async () => {
    const [one, other] = [await catalog.as(newId('unit')), await catalog.as(newId('unit'))];
    const event = await createTestEvent(one);
    expect(succeeded<{ events: unknown[] }>(await one('GET', '/v1/events')).events).toEqual([
      event,
    ]);
    expect(succeeded<{ events: unknown[] }>(await other('GET', '/v1/events')).events).toEqual([]);
  });

  test('with an API token can use only the health endpoints of the internal listener', async () => {
    const client = httpClient(catalog.internalUrl, { 'x-caller': await token() });
    expect((await client('GET', '/v1/events')).status).toBe(404);
    expect((await client('GET', '/healthz')).status).toBe(200);
    expect((await client('POST', '/operator/perk.create', { body: {} })).status).toBe(401);
  });

  test('finds neither health endpoints nor operator commands on the public listener', async () => {
    const client = httpClient(catalog.apiUrl, { 'x-caller': await token() });
    for (const path of ['/healthz', '/readyz', '/metrics', '/operator/perk.create']) {
      expect((await client('GET', path)).status).toBe(404);
      expect((await client('POST', path)).status).toBe(404);
    }
  });
});
