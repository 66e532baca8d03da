import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  advanceProjectedAgenda,
  command,
  createTestEvent,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  stubEventSnapshot,
  succeeded,
} from './fixtures.ts';
import { startOnsite, type TestOnsite } from './harness.ts';

let onsite: TestOnsite;
let sql: TestOnsite['sql'];
let scope: EventScope;
let call: HttpClient;
/** Sequence that the projections have reached. The tests require the next one. */
let seq = 0;

const streamCreatedAt = '2027-01-01T00:00:00Z';

beforeAll(async () => {
  onsite = await startOnsite();
  sql = onsite.sql;
  await sql(
    `insert into onsite.projection_checkpoint (name, seq, stream_created_at, last_message_hash, schema_fingerprint) values ('projections', 0, $1, '', '')`,
    [streamCreatedAt],
  );
});
afterAll(() => onsite?.close());
beforeEach(async () => {
  onsite.owners.registrationIsUnavailable = false;
  scope = await createTestEvent(onsite);
  call = await onsite.as(scope.businessUnitId);
});

const advanceCheckpoint = () => sql('update onsite.projection_checkpoint set seq = seq + 1');
const readAfterHeaders = () => ({ 'x-read-after': `${streamCreatedAt};catalog=${seq + 1}` });
const path = (rest: string) => `/v1/events/${scope.eventId}/${rest}`;
const scan = (badge: { checkinCode: string }, headers = {}) =>
  call('POST', path('checkins'), {
    body: { checkinCode: badge.checkinCode, subjectType: 'event' },
    headers,
  });

describe('projections that are not confirmed', () => {
  afterEach(() => {
    onsite.owners.trust = 'confirmed';
    onsite.owners.catalogIsUnavailable = false;
  });
  const flags = () =>
    sql<{ flagged: boolean }>(
      'select is_unconfirmed as flagged from onsite.checkin where event_id = $1 order by insertion_order',
      [scope.eventId],
    );

  test('admit nobody whose registration does not exist while registration responds', async () => {
    const [ghost, real] = [
      await createTestRegistration(sql, scope),
      await createTestRegistration(sql, scope),
    ];
    stubBadgeResponse(onsite.owners, scope, real);
    stubEventSnapshot(onsite.owners, scope, 0, 1);
    // The negative control: confirmed projections admit by themselves.
    succeeded(await scan(ghost), 201);
    for (const trust of ['unconfirmed', 'different'] as const) {
      onsite.owners.trust = trust;
      const other = await createTestRegistration(sql, scope);
      expect((await scan(other)).status).toBe(404);
    }
    succeeded(await scan(real), 201);
    expect(await flags()).toEqual([{ flagged: false }, { flagged: false }]);
  });

  test.each(['unconfirmed', 'different'] as const)(
    'decide while registration and catalog are away, and the check-in is flagged: %s',
    async (trust) => {
      const badge = await createTestRegistration(sql, scope);
      Object.assign(onsite.owners, {
        trust,
        registrationIsUnavailable: true,
        catalogIsUnavailable: true,
      });
      succeeded(await scan(badge), 201);
      expect(await flags()).toEqual([{ flagged: true }]);
    },
  );

  test.each([
    ['catalog', 'unconfirmed'],
    ['catalog', 'different'],
    ['registration', 'unconfirmed'],
    ['registration', 'different'],
  ] as const)(
    'decide what %s owns while it alone is away, and the check-in is flagged: %s',
    async (owner, trust) => {
      const badge = await createTestRegistration(sql, scope);
      stubBadgeResponse(onsite.owners, scope, badge);
      onsite.owners.trust = trust;
      onsite.owners[`${owner}IsUnavailable`] = true;
      succeeded(await scan(badge), 201);
      expect(await flags()).toEqual([{ flagged: true }]);
    },
  );

  test.each([
    ['catalog and registration respond', {}, false],
    ['registration is away', { registrationIsUnavailable: true }, true],
    ['catalog is away', { catalogIsUnavailable: true }, true],
  ])('flag what a device reports, unless the owners respond: %s', async (_case, away, flagged) => {
    const badge = await createTestRegistration(sql, scope);
    stubBadgeResponse(onsite.owners, scope, badge);
    Object.assign(onsite.owners, { trust: 'unconfirmed', ...away });
    const { checkinCode } = badge;
    const at = new Date().toISOString();
    const sent = { scanId: 'scan_1', subjectType: 'event', scannedAt: at, decision: 'admitted' };
    const body = { sentAt: at, scans: [{ ...sent, checkinCode }] };
    const { results } = succeeded(await call('POST', path('checkins/batch'), { body }));
    expect(results).toMatchObject([{ result: 'recorded' }]);
    expect(await flags()).toEqual([{ flagged }]);
  });

  test('admit to no event that catalog does not have', async () => {
    const badge = await createTestRegistration(sql, scope);
    stubBadgeResponse(onsite.owners, scope, badge);
    onsite.owners.snapshots.clear();
    onsite.owners.trust = 'different';
    expect((await scan(badge)).status).toBe(404);
    expect(await flags()).toEqual([]);
  });
});

describe('a read-after token beyond the projections', () => {
  test('fetches the badge from registration, whose response can also reject a scan', async () => {
    const badge = await createTestRegistration(sql, scope);
    stubBadgeResponse(onsite.owners, scope, badge, { status: 'cancelled' });
    expect(errorReason(await scan(badge, readAfterHeaders()))).toEqual([412, 'NOT_CONFIRMED']);
    // Registration is not called when the projections have reached the token.
    succeeded(await scan(badge), 201);
  });

  test('admits by the projections while registration is unavailable', async () => {
    const badge = await createTestRegistration(sql, scope);
    onsite.owners.registrationIsUnavailable = true;
    succeeded(await scan(badge, readAfterHeaders()), 201);
  });

  test('delays every request except a scan until the projections catch up', async () => {
    const operator = await onsite.operator();
    const times = { startsAt: '2027-05-10T07:00:00Z', endsAt: '2027-05-10T08:00:00Z' };
    const agenda = async (headers = {}) =>
      succeeded(await call('GET', path('sessions'), { headers })).sessions;
    let agendaVersion = 0;
    // Retries on a machine that takes a second for a scan.
    await eventually(async () => {
      await command(operator, 'session.create', scope, { title: 'Talk', ...times });
      expect(await agenda()).toHaveLength(1);
      const badge = await createTestRegistration(sql, scope);
      stubBadgeResponse(onsite.owners, scope, badge);
      const read = agenda(readAfterHeaders());
      // The scan waits only 100 ms for the projections, so it does not show how long other requests
      // wait.
      succeeded(await scan(badge, readAfterHeaders()), 201);
      agendaVersion += 1;
      stubEventSnapshot(onsite.owners, scope, agendaVersion, agendaVersion + 1);
      await advanceProjectedAgenda(sql, scope);
      await advanceCheckpoint();
      seq += 1;
      expect(await read).toEqual([]);
    });
  });
});
