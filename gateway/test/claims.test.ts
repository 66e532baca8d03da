import { claimLimits } from '@event-api/contracts/http/claims';
import { httpClient } from '@event-api/platform/testing/http-client';
import { expect, test } from 'vitest';
import { gateway, testKey, useGateway } from './context.ts';
import { expectEnvelope } from './raw.ts';

useGateway();

const origin = 'https://shop.example.com';
const preflightOf = (method: string) => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization,content-type',
});

const claims = [
  ['GET', '/v1/claims'],
  ['POST', '/v1/claims/seat_1_1/assign'],
] as const;

test.each(claims)('a preflight of %s %s is allowed without a token', async (method, path) => {
  const send = httpClient(gateway.apiUrl, preflightOf(method));
  const response = await send('OPTIONS', path);
  expect(response.status).toBe(204);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Service-Version',
    'access-control-max-age': '7200',
  });
  expect(response.headers['access-control-allow-credentials']).toBeUndefined();
});

test('preflights count towards no limit of claims', async () => {
  const send = httpClient(gateway.apiUrl, preflightOf('GET'));
  const statuses = await Promise.all(
    Array.from({ length: claimLimits.address + 1 }, () => send('OPTIONS', '/v1/claims')),
  );
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([204]));
  expect((await send('GET', '/v1/claims')).status).toBe(401);
});

test.each(claims)('a page of another origin may read the errors of %s %s', async (...route) => {
  const response = await httpClient(gateway.apiUrl, { origin })(...route);
  expectEnvelope(response, 401);
  expect(response.headers['access-control-allow-origin']).toBe('*');
  expect(response.headers['access-control-expose-headers']).toContain('Retry-After');
});

test('no other path is open to pages of other origins', async () => {
  const browser = httpClient(gateway.apiUrl, preflightOf('GET'));
  for (const path of ['/v1/events', '/v1/claims/seat_1_1', '/v1/claim', '/scanner/']) {
    const { status, headers } = await browser('OPTIONS', path);
    expect([path, status >= 400]).toEqual([path, true]);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  for (const path of ['/v1/events', '/v1/claims/seat_1_1']) {
    const { headers } = await testKey.client('GET', path, { headers: { origin } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});
