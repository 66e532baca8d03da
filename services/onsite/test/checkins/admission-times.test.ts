import { newId } from '@event-api/platform/core/ids';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import {
  command,
  createTestPerkSource,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
} from '../fixtures.ts';

useOnsite();
beforeEach(() => {
  onsite.owners.registrationIsUnavailable = true;
});

const path = () => `/v1/events/${scope.eventId}/checkins`;
const scan = (registrationId: string) =>
  call('POST', path(), { body: { registrationId, subjectType: 'event' } });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

interface Times {
  admissionOpensAt: string | null;
  admissionClosesAt: string | null;
}
const none: Times = { admissionOpensAt: null, admissionClosesAt: null };
const later = () => ({ ...none, admissionOpensAt: inHours(2) });
const over = () => ({ ...none, admissionClosesAt: inHours(-2) });

/** What catalog has, which the projection may lack. */
function stubSnapshot(type: 'event' | 'ticket_type', id: string, data: object): void {
  onsite.owners.snapshots.set(`catalog.${type} ${id}`, {
    ...{ id: newId('msg'), type: `catalog.${type}`, ...scope, aggregateId: id, version: 99 },
    ...{ occurredAt: '2027-01-01T00:00:00.000Z', data: { ...data } },
  });
}

const dates = { agendaVersion: 0, startsAt: null, endsAt: null };
const stubEvent = (fields: object) =>
  stubSnapshot('event', scope.eventId, {
    ...dates,
    status: 'published',
    timezone: 'UTC',
    ...fields,
  });

interface EventFields extends Partial<Times> {
  status?: string;
  startsAt?: string | null;
  cancelledAt?: string | null;
}

/** Changes the projected event, and the one of catalog, too. */
async function setEvent(fields: EventFields) {
  const { status = 'published', startsAt = null, cancelledAt = null, ...times } = fields;
  const { admissionOpensAt, admissionClosesAt } = { ...none, ...times };
  await onsite.sql(
    `update onsite.event_projection set status = $2, starts_at = $3, ends_at = $3, admission_opens_at = $4,
       admission_closes_at = $5, cancelled_at = $6 where id = $1`,
    [scope.eventId, status, startsAt, admissionOpensAt, admissionClosesAt, cancelledAt],
  );
  stubEvent({ status, startsAt, endsAt: startsAt, cancelledAt, ...times });
}

async function setType(id: string, times: Times) {
  await onsite.sql(
    'update onsite.ticket_type_projection set admission_opens_at = $2, admission_closes_at = $3 where id = $1',
    [id, times.admissionOpensAt, times.admissionClosesAt],
  );
  stubSnapshot('ticket_type', id, { perkIds: [], ...times });
}

/** What the server says of a person whom a device has let in, so many hours from now. */
async function reported(hours: number) {
  const { registrationId } = await createTestRegistration(onsite.sql, scope);
  const scannedAt = inHours(hours);
  const one = { scanId: newId('msg'), registrationId, subjectType: 'event', scannedAt };
  const body = { sentAt: inHours(0), scans: [{ ...one, decision: 'admitted' }] };
  return succeeded(await call('POST', `${path()}/batch`, { body })).results[0];
}

describe('a cancelled event', () => {
  const cancelled = () => ({ status: 'archived', cancelledAt: inHours(-2) });

  test('admits nobody', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    await setEvent(cancelled());
    expect(errorReason(await scan(registrationId))).toEqual([412, 'EVENT_CANCELLED']);
  });

  test('is asked for at catalog before it refuses', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    await setEvent(cancelled());
    stubEvent({ cancelledAt: null });
    succeeded(await scan(registrationId), 201);
  });

  test('refuses by what is projected while catalog is unavailable', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    await setEvent(cancelled());
    stubEvent({ cancelledAt: null });
    onsite.owners.catalogIsUnavailable = true;
    expect(errorReason(await scan(registrationId))).toEqual([412, 'EVENT_CANCELLED']);
  });

  test('overrules a person whom a device has let in afterwards, and nobody before', async () => {
    await setEvent(cancelled());
    expect(await reported(-3)).toMatchObject({ result: 'recorded' });
    expect(await reported(-1)).toMatchObject({ result: 'overruled', reason: 'EVENT_CANCELLED' });
  });
});

describe('the times of admission', () => {
  test.each([
    ['before they begin', later],
    ['after they have ended', over],
  ])('of an event refuse a check-in %s, with both times', async (_, times) => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const closed = times();
    await setEvent(closed);
    const refused = await scan(registrationId);
    expect(errorReason(refused)).toEqual([412, 'ADMISSION_CLOSED']);
    expect(refused.body.error.details).toEqual([{ reason: 'ADMISSION_CLOSED', ...closed }]);
    await setEvent({ admissionOpensAt: inHours(-1), admissionClosesAt: inHours(1) });
    succeeded(await scan(registrationId), 201);
  });

  test('of a ticket type refuse its registrations alone', async () => {
    const ticketTypeId = await createTestPerkSource(onsite.sql, scope, 'ticket_type', []);
    const late = await createTestRegistration(onsite.sql, scope, { ticketTypeId });
    const other = await createTestRegistration(onsite.sql, scope);
    await setType(ticketTypeId, later());
    expect(errorReason(await scan(late.registrationId))).toEqual([412, 'ADMISSION_CLOSED']);
    succeeded(await scan(other.registrationId), 201);
  });

  test.each(['projections', 'registration'])(
    'that were changed a moment ago are fetched before a refusal by the %s',
    async (by) => {
      const ticketTypeId = await createTestPerkSource(onsite.sql, scope, 'ticket_type', []);
      const badge = await createTestRegistration(onsite.sql, scope, { ticketTypeId });
      if (by === 'registration') {
        const named = { name: null, registrationTypeId: ticketTypeId, perkSources: [] };
        stubBadgeResponse(onsite.owners, scope, badge, { named });
      }
      await setEvent(later());
      await setType(ticketTypeId, over());
      stubEvent(none);
      stubSnapshot('ticket_type', ticketTypeId, { perkIds: [], ...none });
      onsite.owners.registrationIsUnavailable = by === 'projections';
      const response = await scan(badge.registrationId);
      onsite.owners.registrationIsUnavailable = false;
      succeeded(response, 201);
    },
  );

  test('refuse by what is projected while catalog is unavailable', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    await setEvent(later());
    stubEvent(none);
    onsite.owners.catalogIsUnavailable = true;
    expect(errorReason(await scan(registrationId))).toEqual([412, 'ADMISSION_CLOSED']);
  });

  test('overrule a person whom a device has let in, by the time of the scan', async () => {
    await setEvent(over());
    expect(await reported(-3)).toMatchObject({ result: 'recorded' });
    expect(await reported(-1)).toMatchObject({ result: 'overruled', reason: 'ADMISSION_CLOSED' });
  });

  test('are part of an explanation and of the roster', async () => {
    const ticketTypeId = await createTestPerkSource(onsite.sql, scope, 'ticket_type', []);
    const { registrationId } = await createTestRegistration(onsite.sql, scope, { ticketTypeId });
    const [ofEvent, ofType] = [over(), later()];
    await setEvent(ofEvent);
    await setType(ticketTypeId, ofType);
    const door = { registrationId, subjectType: 'event' };
    const explained = await command(operator, 'checkin.explain', scope, door);
    expect(explained).toMatchObject({ outcome: 'admission_closed' });
    expect(explained.rules.slice(-2)).toEqual([
      { rule: 'admission', passed: false, of: 'event', ...ofEvent },
      { rule: 'admission', passed: false, of: 'registration_type', ...ofType },
    ]);
    expect(succeeded(await call('GET', `${path()}/roster`))).toMatchObject({
      event: { status: 'published', timezone: 'UTC', ...ofEvent, refuseIfFormerInside: false },
      sources: [{ id: ticketTypeId, perkIds: [], ...ofType }],
    });
  });
});

test.each([
  [{ status: 'draft' }, 'EVENT_NOT_PUBLISHED'],
  [{ status: 'archived' }, 'EVENT_NOT_PUBLISHED'],
  [{ startsAt: '2020-05-10T08:00:00Z' }, 'OUTSIDE_EVENT_DAYS'],
  [{ startsAt: '2100-05-10T08:00:00Z' }, 'OUTSIDE_EVENT_DAYS'],
  [{}, null],
])(
  'a check-in in an event with %o has the notice %s, online and reported',
  async (fields, notice) => {
    await setEvent(fields);
    const online = await createTestRegistration(onsite.sql, scope);
    expect(succeeded(await scan(online.registrationId), 201).notice).toBe(notice);
    expect(succeeded(await scan(online.registrationId)).notice).toBe(notice);
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const one = {
      scanId: newId('msg'),
      registrationId,
      subjectType: 'event',
      decision: 'admitted',
    };
    const body = { sentAt: inHours(0), scans: [{ ...one, scannedAt: inHours(0) }] };
    const { results } = succeeded(await call('POST', `${path()}/batch`, { body }));
    expect(results).toMatchObject([{ result: 'recorded', notice }]);
  },
);
