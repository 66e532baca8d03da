import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { planSession } from '@event-api/platform/testing/plans';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { describe, expect, test } from 'vitest';
import { readMinuteCounts } from '../../src/checkins/rates/rates.queries.ts';
import { onsiteOrm } from '../../src/orm.ts';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import { command, createTestEvent, createTestRegistration, succeeded } from '../fixtures.ts';
import { device, report, scanOf } from './devices.ts';

useOnsite();

const minutesBefore = (until: Date, minutes: number): Date =>
  new Date(until.getTime() - minutes * 60_000);
const rates = (fields: object = {}) =>
  operator('POST', '/operator/checkin.countPerMinute', { body: { ...scope, ...fields } });
const path = () => `/v1/events/${scope.eventId}/checkins`;

async function checkIn(door: object = { subjectType: 'event' }): Promise<string> {
  const { registrationId } = await createTestRegistration(onsite.sql, scope);
  return succeeded(await call('POST', path(), { body: { registrationId, ...door } }), 201).checkin
    .id;
}

/** A check-in at the door of the event at this instant. */
async function checkInAt(at: Date): Promise<void> {
  const sql = 'update onsite.checkin set checked_in_at = $2 where id = $1';
  await onsite.sql(sql, [await checkIn(), at]);
}

/** The check-ins of a minute at the door of the event. */
const countOf = (minutesAgo: number, checkedIn: number) => ({
  subjectType: 'event',
  subjectId: scope.eventId,
  minutesAgo,
  checkedIn,
});

describe('the check-ins per minute', () => {
  test('count each door, the time when a device without a network has scanned, and no undone check-in', async () => {
    const hall = await command(operator, 'venue.create', scope, { name: 'Hall' });
    await checkIn({ subjectType: 'venue', subjectId: hall.id });
    await checkIn();
    const undone = await checkIn();
    succeeded(await call('POST', `${path()}/${undone}/undo`, { body: { reason: 'a mistake' } }));
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const scannedAt = minutesBefore(new Date(), 10.5).toISOString();
    await report(await device('dev_1'), [scanOf({ registrationId, scannedAt })]);
    const { until, doors } = succeeded(await rates());
    expect(Date.parse(until)).toBeGreaterThan(Date.parse(scannedAt));
    expect(doors).toEqual([
      {
        subjectType: 'event',
        subjectId: scope.eventId,
        perMinute: [...Array(19).fill(0), 1, ...Array(9).fill(0), 1],
      },
      { subjectType: 'venue', subjectId: hall.id, perMinute: [...Array(29).fill(0), 1] },
    ]);
  });

  test('end with the time of the count, and begin 30 minutes before', async () => {
    const until = new Date('2027-05-10T09:30:15Z');
    const { db } = onsite.replica(0);
    await checkInAt(minutesBefore(until, 30.01));
    expect(await readMinuteCounts(db, scope, until)).toEqual([]);
    await checkInAt(minutesBefore(until, 30));
    await checkInAt(minutesBefore(until, 1.01));
    await checkInAt(minutesBefore(until, 1));
    // The clock of the database is ahead.
    await checkInAt(minutesBefore(until, -0.1));
    expect(await readMinuteCounts(db, scope, until)).toEqual([
      countOf(29, 1),
      countOf(1, 1),
      countOf(0, 2),
    ]);
  });

  test('are counted once for many operators who read them at a time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => rates()));
    expect(new Set(all.map((response) => succeeded(response).until)).size).toBe(1);
  });

  test('are not found through another business unit', async () => {
    await checkIn();
    succeeded(await rates());
    const { businessUnitId } = await createTestEvent(onsite);
    expect((await rates({ businessUnitId })).status).toBe(404);
    const { db } = onsite.replica(0);
    expect(await readMinuteCounts(db, { ...scope, businessUnitId }, new Date())).toEqual([]);
  });
});

test('the check-ins per minute are read minute by minute, with and without statistics', async () => {
  const database = await createTestDatabase(await postgresUrl());
  const until = new Date('2027-05-10T12:00:00Z');
  const costOnce = async () => {
    const session = await planSession(database);
    const event = { businessUnitId: 'unit_1', eventId: 'evt_1' };
    const cost = await session.costOf((db) => readMinuteCounts(db, event, until));
    await session.end();
    return cost;
  };
  try {
    await database.sql('create schema onsite');
    await migrate(onsiteOrm(database.url));
    // Two events with ten check-ins a minute for six hours.
    await database.sql(
      `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id, method, checked_in_at)
       select 'chk_' || n, 'unit_1', 'evt_' || n % 2 + 1, 'reg_' || n, 'event', 'evt_' || n % 2 + 1, 'scan',
         $1::timestamptz - n * interval '3 seconds'
       from generate_series(0, 7199) n`,
      [until],
    );
    expect(await costOnce()).toMatchObject({ indexes: ['checkin_by_time'], rows: 30 });
    await database.sql('analyze');
    expect(await costOnce()).toMatchObject({ indexes: ['checkin_by_time'], rows: 30 });
  } finally {
    await database.drop();
  }
});
