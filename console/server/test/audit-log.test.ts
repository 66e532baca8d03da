import { randomUUID } from 'node:crypto';
import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

interface Listed {
  id: string;
  operation: string;
}

let app: TestConsole;
let unit: string;
let owner: BrowserClient;
beforeAll(async () => {
  app = await startTestConsole();
});
afterAll(() => app?.close());

/** What the services respond: one entry of each, a second apart, and a second page of commerce. */
function respond(service: string, cursor: string | undefined) {
  const order = ['catalog', 'registration', 'commerce', 'onsite', 'changes', 'gateway'];
  const entry = (second: number) => ({
    id: `aud_${service}_${second}`,
    at: `2027-01-01T00:00:${second}.000Z`,
    businessUnitId: unit,
    eventId: null,
    actor: { type: 'cli', id: 'root' },
    operation: 'order.refund',
    records: [],
    fields: [],
    result: 'done',
    reason: null,
    requestId: 'req_1',
  });
  if (service !== 'commerce') {
    return { entries: [entry(30 - order.indexOf(service))], nextCursor: null };
  }
  return cursor === undefined
    ? { entries: [entry(28)], nextCursor: 'second' }
    : { entries: [entry(10)], nextCursor: null };
}

let missing: string[];
beforeEach(async () => {
  missing = [];
  unit = `unit_${randomUUID().slice(0, 8)}`;
  owner = await app.signIn('olivia');
  await app.join(owner, unit, 'owner');
  app.owners.received.length = 0;
  app.owners.respondWith((_request, response) => {
    // The read of a list has no body.
    const { service, cursor } = JSON.parse(app.owners.received.at(-1)?.body || '{}');
    response.writeHead(missing.includes(service) ? 503 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(respond(service, cursor)));
  });
});

const read = (query: Record<string, string> = {}, browser = owner) =>
  browser.send(`/api/units/${unit}/audit?${new URLSearchParams(query)}`);
/** All pages from a cursor on: their entries, and the owners that were down for one of them. */
async function readAll(query: Record<string, string> = {}) {
  const [entries, incomplete] = [[] as Listed[], new Set<string>()];
  for (let cursor: string | null | undefined = query.cursor; cursor !== null; ) {
    const response = await read({ ...query, ...(cursor !== undefined && { cursor }) });
    expect(response.status).toBe(200);
    const page = response.json();
    entries.push(...page.entries);
    for (const service of page.incomplete) incomplete.add(service);
    cursor = page.nextCursor;
  }
  return { entries, incomplete: [...incomplete] };
}
/** Waits until exactly these attempts in the business unit are in the log as refused. */
const expectRefusals = (operations: string[]) =>
  eventually(async () => {
    const stored = await app.database.sql<{ operation: string }>(
      "select operation from console.audit_entry where business_unit_id = $1 and result = 'refused'",
      [unit],
    );
    expect(stored.map(({ operation }) => operation).toSorted()).toEqual(operations);
  });
const idsOf = (entries: Listed[]) => entries.map(({ id }) => id);

const ofServices = [
  ...['aud_catalog_30', 'aud_registration_29', 'aud_commerce_28', 'aud_onsite_27'],
  ...['aud_changes_26', 'aud_gateway_25', 'aud_commerce_10'],
];

describe('the audit log of a business unit', () => {
  test('contains the entries of all processes, newest first, also over several pages', async () => {
    for (const limit of ['2', '3', '100']) {
      const ids = idsOf((await readAll({ limit })).entries);
      // That of the console: the acceptance of the invitation, with the time of this test.
      expect(ids.filter((id) => ofServices.includes(id))).toEqual(ofServices);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('names the operator of an entry', async () => {
    const { entries } = await readAll();
    const accepted = entries.find(({ operation }) => operation === 'invitation.accept');
    expect(accepted).toMatchObject({ actorName: 'Olivia Owner', result: 'done' });
    expect(entries.find(({ id }) => id === 'aud_catalog_30')).toMatchObject({ actorName: null });
  });

  test('passes the filters on to every owner, with the business unit of the path', async () => {
    await read({ actorId: 'opr_1', operation: 'order.refund', from: '2027-01-01T00:00:00Z' });
    const bodies = app.owners.received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ service }) => service).toSorted()).toEqual(
      ['catalog', 'changes', 'commerce', 'gateway', 'onsite', 'registration'].toSorted(),
    );
    for (const body of bodies) {
      expect(body).toMatchObject({
        businessUnitId: unit,
        actorId: 'opr_1',
        operation: 'order.refund',
        from: '2027-01-01T00:00:00.000Z',
      });
    }
  });

  test('names an owner that is away and shows the entries of the others', async () => {
    missing = ['onsite'];
    const { entries, incomplete } = await readAll();
    expect(incomplete).toEqual(['onsite']);
    expect(idsOf(entries).filter((id) => ofServices.includes(id))).toEqual(
      ofServices.filter((id) => id !== 'aud_onsite_27'),
    );
  });

  test('continues after an owner is back', async () => {
    missing = ['commerce'];
    const first = (await read({ limit: '2' })).json();
    missing = [];
    const ids = idsOf((await readAll({ limit: '2', cursor: first.nextCursor })).entries);
    expect(ids).toContain('aud_commerce_10');
    expect(ids).not.toContain(first.entries[0].id);
  });

  test('rejects a cursor of other filters with 400', async () => {
    const { nextCursor } = (await read({ limit: '2' })).json();
    const response = await read({ limit: '2', cursor: nextCursor, actorId: 'opr_1' });
    expect([response.status, response.json().error.details[0].field]).toEqual([400, 'cursor']);
    expect((await read({ cursor: 'nonsense' })).status).toBe(400);
  });

  test('is a 403 without the permission, and a 404 for a business unit of others', async () => {
    const viewer = await app.signIn('vera');
    await app.join(viewer, unit, 'viewer');
    expect((await read({}, viewer)).status).toBe(403);
    expect((await read({}, await app.signIn('dario'))).status).toBe(404);
    expect(app.owners.received).toEqual([]);
  });

  const eventId = newId('evt');

  test('contains each export, with its list and event', async () => {
    const exported = (list: string, of?: string) =>
      owner.post(`/api/units/${unit}/exports`, { list, ...(of && { eventId: of }) });
    expect((await exported('registrations', eventId)).status).toBe(200);
    expect((await exported('entries')).status).toBe(200);
    // The list was read, so that an event of another unit gets no entry.
    expect(app.owners.received.map(({ url }) => url)).toContain(
      `/v1/events/${eventId}/registrations?limit=1`,
    );
    const { entries } = await readAll();
    expect(entries).toContainEqual(
      expect.objectContaining({
        operation: 'registration.export',
        eventId,
        records: [eventId],
        actorName: 'Olivia Owner',
        result: 'done',
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ operation: 'audit.export', eventId: null, records: [] }),
    );
  });

  test('contains each file of badges that was sent', async () => {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0x00]);
    app.owners.respondWith((_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/pdf',
          'content-disposition': 'attachment; filename="badges.pdf"',
          'next-cursor': 'second',
        })
        .end(bytes),
    );
    const input = { eventId, registrationTypeId: 'tt_1' };
    const file = await owner.post(`/api/units/${unit}/badges`, input);
    expect([
      file.status,
      file.headers.get('content-type'),
      file.headers.get('next-cursor'),
    ]).toEqual([200, 'application/pdf', 'second']);
    const [sent] = app.owners.received.filter(({ url }) => url === '/operator/badges.print');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ ...input, limit: 2000, businessUnitId: unit });
    app.owners.respondWith((_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end('{"entries":[],"nextCursor":null}'),
    );
    const { entries } = await readAll();
    expect(entries).toContainEqual(
      expect.objectContaining({
        operation: 'badge.export',
        eventId,
        actorName: 'Olivia Owner',
        result: 'done',
      }),
    );
  });

  test('contains an export of an event that the business unit does not have as refused', async () => {
    app.owners.respondWith((_request, response) =>
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"code":404,"status":"NOT_FOUND","message":"Not found","details":[]}}'),
    );
    const list = await owner.post(`/api/units/${unit}/exports`, { list: 'orders', eventId });
    const file = await owner.post(`/api/units/${unit}/badges`, { eventId });
    expect([list.status, list.json().error.details[0].field, file.status]).toEqual([
      404,
      'eventId',
      404,
    ]);
    await expectRefusals(['badge.export', 'order.export']);
    expect(
      await app.database.sql(
        "select 1 from console.audit_entry where business_unit_id = $1 and result = 'done' and operation like '%export'",
        [unit],
      ),
    ).toEqual([]);
  });

  test('needs the event of a list that has one', async () => {
    const response = await owner.post(`/api/units/${unit}/exports`, { list: 'orders' });
    expect([response.status, response.json().error.details[0].field]).toEqual([400, 'eventId']);
  });

  test('contains an export that the role does not permit as refused, and none with an unknown list', async () => {
    const viewer = await app.signIn('vera');
    await app.join(viewer, unit, 'viewer');
    const path = `/api/units/${unit}/exports`;
    const statuses = [
      await viewer.post(path, { list: 'entries' }),
      await viewer.post(path, { list: 'redemptionCodes', eventId }),
      await viewer.post(path, { list: 'refunds' }),
      await viewer.post(`/api/units/${unit}/badges`, { eventId }),
      await (await app.signIn('dario')).post(path, { list: 'orders', eventId }),
      await owner.post(path, { list: 'secrets' }),
      await (await app.signIn('dario')).post(`/api/units/${unit}/badges`, { eventId }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 404, 400, 404]);
    await expectRefusals(['audit.export', 'badge.export', 'code.export', 'refund.export']);
  });

  test('has no entry of operators of other units, whose attempts are in the log of the platform', async () => {
    const dario = await app.signIn('dario');
    const foreign = `/api/units/${unit}`;
    const attempts = [
      await dario.post(`${foreign}/exports`, { list: 'orders', eventId }),
      await dario.post(`${foreign}/badges`, { eventId }),
      await dario.post(`${foreign}/operator/perk.create`, { businessUnitId: unit, name: 'VIP' }),
      await dario.post(`${foreign}/operator/perk.list`, { businessUnitId: unit, eventId }),
      await dario.post(`${foreign}/v1/events`, { name: 'Foreign' }),
      await dario.send(`${foreign}/v1/events`),
      await dario.post('/api/platform/operator/unit.create', { name: 'Own' }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 403]);
    await expectRefusals([]);
    await eventually(async () => {
      const stored = await app.database.sql(
        `select operation, reason from console.audit_entry
         where business_unit_id is null and result = 'refused'
           and (records = array[$1] or operation = 'unit.create') order by operation`,
        [unit],
      );
      expect(stored).toEqual([
        { operation: 'badge.export', reason: 'NOT_FOUND' },
        { operation: 'createEvent', reason: 'NOT_FOUND' },
        { operation: 'list.export', reason: 'NOT_FOUND' },
        { operation: 'perk.create', reason: 'NOT_FOUND' },
        { operation: 'unit.create', reason: 'PERMISSION_DENIED' },
      ]);
    });
  });

  test('contains what the role of an operator did not permit', async () => {
    const viewer = await app.signIn('vera');
    await app.join(viewer, unit, 'viewer');
    const path = `/api/units/${unit}`;
    await viewer.post(`${path}/operator/order.refund`, { businessUnitId: unit, eventId: 'evt_1' });
    await viewer.post(`${path}/v1/events`, { name: 'Not permitted' });
    await viewer.send(`${path}/v1/webhook-endpoints`);
    await eventually(async () => {
      const { entries } = await readAll({ operation: 'order.refund' });
      expect(entries).toContainEqual(
        expect.objectContaining({
          actorName: 'Vera Viewer',
          eventId: 'evt_1',
          result: 'refused',
          reason: 'PERMISSION_DENIED',
        }),
      );
    });
    await expectRefusals(['createEvent', 'order.refund']);
  });
});
