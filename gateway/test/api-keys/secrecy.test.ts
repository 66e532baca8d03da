import { createHash } from 'node:crypto';
import { createLogger } from '@event-api/platform/core/log';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from '../harness.ts';
import { exchange, request } from '../raw.ts';

let gateway: TestGateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
const lines: string[] = [];
beforeAll(async () => {
  upstream = await startUpstream();
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'gateway', level: 'trace', destination });
  gateway = await startGateway({ catalogUrl: upstream.url, log });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

describe('a secret', () => {
  test('is in the response that creates its key and in no later one', async () => {
    const { unit, key, secret } = await gateway.createKey();
    const responses = [
      await gateway.run('key.list', { businessUnitId: unit.id }),
      await gateway.run('unit.list', {}),
      await gateway.run('key.revoke', { id: key.id }),
    ].map((response) => JSON.stringify(response));
    expect(responses[0]).toContain(key.id);
    for (const text of responses) {
      expect(text).not.toContain(secret.slice(12));
      expect(text).not.toContain(createHash('sha256').update(secret).digest('hex'));
    }
  });

  test('is in no log line at the lowest level, also after errors', async () => {
    const { unit, key, secret, client } = await gateway.createKey();
    const authorization = { authorization: `Bearer ${secret}` };
    upstream.respondWith((request) => request.socket.destroy());
    expect((await client('GET', '/v1/events')).status).toBe(503);
    upstream.respondWith((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>'),
    );
    expect((await client('POST', '/v1/events', { body: { secret } })).status).toBe(503);
    await client('GET', `/v1/nothing?key=${secret}`);
    await client('GET', `/v1/events/${secret}`);
    await client('POST', '/v1/events', { raw: secret, headers: { 'content-type': 'text/plain' } });
    await client('GET', '/v1/events', { headers: { 'service-version': secret } });
    await exchange(
      gateway.apiUrl,
      request('GET /v1/events HTTP/1.1', [
        'Host: gateway',
        `Authorization: Bearer ${secret}`,
        'Content-Length: 1',
        'Content-Length: 2',
      ]),
    );
    const again = { businessUnitId: unit.id, name: 'again', secret };
    await gateway.operator('POST', '/operator/key.create', { body: again, headers: authorization });
    await gateway.operator('POST', '/operator/key.create', { body: { secret } });
    await gateway.run('key.revoke', { id: key.id });
    await eventually(async () => expect((await client('GET', '/v1/events')).status).toBe(401));

    const all = lines.join('');
    // The errors are logged: an empty log would prove nothing.
    expect(all).toContain('"level":"error"');
    expect(all).toContain('"requestId"');
    expect(all).not.toContain(secret.slice(12));
    expect(all).not.toContain(createHash('sha256').update(secret).digest('hex'));
  });
});
