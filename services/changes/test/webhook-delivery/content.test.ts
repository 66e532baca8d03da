import type { ServerResponse } from 'node:http';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newUnit } from '../harness.ts';
import { startDeliveries, type TestDeliveries } from './harness.ts';
import { type Reaction, type Receiver, startReceiver } from './receiver.ts';

let deliveries: TestDeliveries;
let receiver: Receiver;
beforeAll(async () => {
  deliveries = await startDeliveries();
  await deliveries.startProcess();
  receiver = await startReceiver();
});
afterEach(() => {
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver?.close();
  await deliveries?.close();
});

interface Content {
  url: string | null;
  cursor: string | null;
  type: string | null;
  body: string | null;
}

const contentsOf = (endpointId: string): Promise<Content[]> =>
  deliveries.sql<Content>(
    `select url, cursor, response_content_type as type, response_body as body from changes.webhook_attempt
     where endpoint_id = $1 order by id`,
    [endpointId],
  );

/** Delivers one change to a receiver that reacts like this, and returns what the attempt keeps. */
async function attempt(reaction: Reaction, url = receiver.url): Promise<Content> {
  receiver.react(() => reaction);
  const unit = newUnit();
  const { id } = await deliveries.createEndpoint({ unit, url });
  await deliveries.addChanges(unit, ['ord_1']);
  return eventually(async () => {
    const [content] = await contentsOf(id);
    if (!content) throw new Error('there is no attempt yet');
    return content;
  });
}

const respond =
  (body: string | Buffer, status = 200, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

describe('an attempt', () => {
  test('keeps the URL and the cursor of its request', async () => {
    const { url, cursor } = await attempt(204);
    expect(url).toBe(receiver.url);
    expect(cursor).toBe(receiver.received[0]?.headers['webhook-cursor']);
  });

  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  test.each([
    ['without a body', respond(''), ''],
    ['that is JSON', respond('{"error":"out of stock"}', 500), '{"error":"out of stock"}'],
    ['that looks like SQL and arrays', respond(`{"a\\",NULL}');--`), `{"a\\",NULL}');--`],
    ['that is the word NULL', respond('NULL'), 'NULL'],
    ['with NUL', respond('a\0b', 500), 'ab'],
    ['that is not UTF-8', respond(Buffer.from([0x61, 0xff, 0x62])), 'a\ufffdb'],
    ['that is binary', respond(png), '\ufffdPNG\r\n\x1a\n\rIHDR'],
    ['with a character across the limit', respond(`${'a'.repeat(1023)}€`), 'a'.repeat(1023)],
    ['that is huge', respond('é'.repeat(1_000_000), 500), 'é'.repeat(512)],
  ])('keeps the beginning of a response %s', async (_, reaction, body) => {
    expect((await attempt(reaction)).body).toBe(body);
  });

  test('keeps the beginning of the content type', async () => {
    const headers = { 'content-type': `text/${'x'.repeat(500)}` };
    expect((await attempt(respond('', 200, headers))).type).toBe(`text/${'x'.repeat(95)}`);
  });

  test('keeps nothing of a response that there was not', async () => {
    const { port } = new URL(receiver.url);
    expect(await attempt('reset')).toMatchObject({ type: null, body: null });
    const other = await attempt(200, `https://127.0.0.1:${port}/`);
    expect(other).toMatchObject({ url: `https://127.0.0.1:${port}/`, type: null, body: null });
  });

  test('is stored with others of a batch, each with its own response', async () => {
    const unit = newUnit();
    receiver.react(({ body }) =>
      body.includes('ord_3') ? 'reset' : respond(`\0${JSON.parse(body).object.id}`, 200),
    );
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    const objects = Array.from({ length: 8 }, (_, n) => `ord_${n}`);
    await deliveries.addChanges(unit, objects);
    await eventually(async () => {
      const bodies = (await contentsOf(id)).map(({ body }) => body);
      for (const object of objects) expect(bodies).toContain(object === 'ord_3' ? null : object);
    });
  });
});
