import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';

let gateway: TestGateway;
let commerce: Awaited<ReturnType<typeof startUpstream>>;
beforeAll(async () => {
  commerce = await startUpstream();
  gateway = await startGateway({ catalogUrl: commerce.url });
});
afterAll(async () => {
  await gateway?.close();
  await commerce?.close();
});

const tell = (body = '{ "kept" :  "as it is" }') =>
  fetch(new URL('/payments/notifications/sandbox', gateway.apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sandbox-signature': 't=1,v1=2', cookie: 'a=b' },
    body,
  });

test('a notification goes on as it came, with its signature, a place in a trace and nothing else of the sender', async () => {
  expect((await tell()).status).toBe(200);
  const [received] = commerce.received;
  expect(received).toMatchObject({ method: 'POST', body: '{ "kept" :  "as it is" }' });
  expect(received?.headers['sandbox-signature']).toBe('t=1,v1=2');
  expect(received?.headers.cookie).toBeUndefined();
  expect(received?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test('a notification of 256 KiB goes on, and a larger one is a 413 that nobody else hears of', async () => {
  const [known, most] = [commerce.received.length, 256 * 1024];
  expect((await tell('x'.repeat(most))).status).toBe(200);
  expect(commerce.received.slice(known)).toMatchObject([{ body: 'x'.repeat(most) }]);
  const refused = await tell('x'.repeat(most + 1));
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { code: 413, status: 'PAYLOAD_TOO_LARGE', message: expect.any(String) } },
  ]);
  expect(commerce.received).toHaveLength(known + 1);
});

test('a provider is told when to come again by whoever refuses it, commerce or the gateway', async () => {
  const body = JSON.stringify({ error: { code: 503 } });
  commerce.answerWith((_, response) =>
    response.writeHead(503, { 'retry-after': '30', 'set-cookie': 'c=d' }).end(body),
  );
  const refused = await tell();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(refused.headers.get('set-cookie')).toBeNull();
  expect(await refused.text()).toBe(body);
  commerce.answerWith((request) => request.socket.destroy());
  const away = await tell();
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
});
