import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUnit, startChanges, type TestChanges } from './harness.ts';

const root = '/v1/webhook-endpoints';
let platform: TestChanges;
let unit: string;
let client: HttpClient;
let endpointId: string;
/** A change of the feed. */
let entry: { id: string; sequence: string; entry: string };

const expectStatus = (response: TestResponse, status: number): TestResponse => {
  expect(response.status, JSON.stringify(response.body)).toBe(status);
  return response;
};

async function createEndpoint(): Promise<string> {
  const body = { url: 'https://shop.example/webhooks' };
  return expectStatus(await client('POST', root, { body }), 201).body.id;
}

beforeAll(async () => {
  platform = await startChanges();
  unit = newUnit();
  client = await platform.as(unit);
  endpointId = await createEndpoint();
  platform.owners.commerce.add({ businessUnitId: unit });
  await platform.sequence();
  const [first] = await platform.sql<typeof entry>(
    'select id, sequence, entry from changes.feed_change where business_unit_id = $1',
    [unit],
  );
  if (!first) throw new Error('the feed has no change');
  entry = first;
});
afterAll(() => platform?.close());

/** Stores an attempt with these columns and returns its id. */
const add = async (columns: Record<string, unknown>): Promise<string> => {
  const all = {
    ...{ endpoint_id: endpointId, business_unit_id: unit, attempt: 1, is_replay: false },
    ...{ type: 'order.paid', result: 'retrying', response_status: 500, reason: 'status' },
    ...{ duration_ms: 12, attempted_at: '2027-05-10T07:00:00.250Z' },
    ...{ url: 'https://shop.example/', cursor: 'MS54', ...columns },
  };
  const [row] = await platform.sql<{ id: string }>(
    `insert into changes.webhook_attempt (${Object.keys(all)})
     values (${Object.keys(all).map((_, n) => `$${n + 1}`)}) returning id`,
    Object.values(all),
  );
  return `whd_${row?.id}`;
};
const read = (id: string, by = client) => by('GET', `${root}/${endpointId}/deliveries/${id}`);
const stored = {
  ...{ url: 'https://old.example/', cursor: 'MS54', response_content_type: 'text/plain' },
  response_body: '<b>broken</b>',
};

describe('attempts, one by one,', () => {
  test('have the request as it was sent, without its signature, and the response', async () => {
    const change = { change_id: entry.id, sequence: entry.sequence };
    const id = await add({ ...change, ...stored });
    expect(expectStatus(await read(id), 200).body).toEqual({
      ...{ id, changeId: entry.id, sequence: Number(entry.sequence), type: 'order.paid' },
      ...{ attempt: 1, isReplay: false, result: 'retrying', reason: 'status', durationMs: 12 },
      attemptedAt: '2027-05-10T07:00:00.250Z',
      request: {
        url: 'https://old.example/',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'event-api-webhooks/1',
          'webhook-id': entry.id,
          'webhook-timestamp': '1809932400',
          'webhook-cursor': 'MS54',
        },
        body: entry.entry,
      },
      responseStatus: 500,
      responseContentType: 'text/plain',
      responseBody: '<b>broken</b>',
    });
  });

  test('have no body of a change that the feed does not keep, or has replaced after a restore', async () => {
    for (const change of [
      { change_id: 'chg_1', sequence: 1000 },
      { change_id: 'chg_lost', sequence: entry.sequence },
    ]) {
      const { body } = expectStatus(await read(await add({ ...change, ...stored })), 200);
      expect(body.request).toMatchObject({ url: 'https://old.example/', body: null });
    }
  });

  test('have the text of a ping, which the feed never has', async () => {
    const id = await add({ change_id: 'png_1', sequence: null, type: 'ping', ...stored });
    const { body } = expectStatus(await read(id), 200);
    expect(JSON.parse(body.request.body)).toEqual({
      ...{ id: 'png_1', type: 'ping', occurredAt: '2027-05-10T07:00:00.250Z' },
      object: { type: 'webhook_endpoint', id: endpointId },
    });
  });

  test('are a 404 for other units, other endpoints and other ids', async () => {
    const id = await add({ change_id: 'chg_1', sequence: 1 });
    const stranger = await platform.as(newUnit());
    expectStatus(await read(id, stranger), 404);
    const other = await createEndpoint();
    expectStatus(await client('GET', `${root}/${other}/deliveries/${id}`), 404);
    for (const unknown of ['whd_999999999999', 'whd_0', 'chg_1']) {
      expectStatus(await read(unknown), 404);
    }
  });
});
