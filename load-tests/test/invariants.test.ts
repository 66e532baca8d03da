import { processNames } from '@event-api/contracts/topology';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { sharedDatabase } from '@event-api/provisioning/database-urls';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { violatedInvariants } from '../invariants.ts';
import { migrate } from './consistent-data.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await migrate(database, ['registration']);
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  await client.query(`truncate registration.seat_ledger, registration.ticket_type_projection,
    registration.event_projection, registration.addon_projection,
    registration.dead_letter, registration.outbox_message, registration.registration, registration.seat_reservation`);
});

async function ledger(counts: { confirmed: number; reserved: number; capacity: number }) {
  await client.query(
    `insert into registration.ticket_type_projection (id, business_unit_id, event_id, version, name, capacity,
      allow_waitlist, is_public, requires_approval, status, price_amount, sort_order, created_at, perk_ids)
     values ('tt', 'unit', 'evt', 1, 'Seat', $1, false, true, false, 'open', 0, 0, now(), '{}')`,
    [counts.capacity],
  );
  await client.query(
    `insert into registration.seat_ledger (ticket_type_id, business_unit_id, event_id, confirmed, reserved, version)
     values ('tt', 'unit', 'evt', $1, $2, 1)`,
    [counts.confirmed, counts.reserved],
  );
}

const check = () => violatedInvariants(sharedDatabase(database.url, processNames));
const violatedTitles = async () => Object.keys((await check()).broken);

describe('violatedInvariants', () => {
  test('skips missing tables and finds no violation in an empty database', async () => {
    const { checked, broken } = await check();
    expect(broken).toEqual({});
    // The invariants of registration; the tables of the other services do not exist here.
    expect(checked).toBeGreaterThanOrEqual(8);
  });

  test('finds an oversold ticket type and a ledger that differs from the registrations', async () => {
    await ledger({ confirmed: 2, reserved: 0, capacity: 1 });
    expect(await violatedTitles()).toEqual([
      'no ticket type is oversold',
      'the seat ledger equals the registrations',
    ]);
  });

  test('finds an oversold capacity group', async () => {
    await ledger({ confirmed: 0, reserved: 2, capacity: 2 });
    await client.query(
      `insert into registration.event_projection (id, business_unit_id, event_id, version, name, currency, status, capacity_groups)
       values ('evt', 'unit', 'evt', 1, 'E', 'EUR', 'published', '[{"id": "cgp", "name": "Hall", "capacity": 1}]')`,
    );
    await client.query(`update registration.ticket_type_projection set capacity_group_id = 'cgp'`);
    expect(await violatedTitles()).toContain('no capacity group is oversold');
  });

  test('finds an oversold add-on and a ledger that differs from its units', async () => {
    await client.query(
      `insert into registration.addon_projection (id, business_unit_id, event_id, version, capacity, perk_ids)
       values ('addon', 'unit', 'evt', 1, 1, '{}')`,
    );
    await client.query(
      `insert into registration.seat_ledger (ticket_type_id, business_unit_id, event_id, confirmed, version)
       values ('addon', 'unit', 'evt', 2, 1)`,
    );
    expect(await violatedTitles()).toEqual([
      'no add-on is oversold',
      'the ledger counts the units of add-ons',
    ]);
  });

  test('finds reserved seats without a reservation', async () => {
    await ledger({ confirmed: 0, reserved: 1, capacity: 1 });
    expect(await violatedTitles()).toEqual(['reserved seats equal the active reservations']);
  });

  test('finds offers without a waitlisted registration and offers that ended for no reason', async () => {
    const offers = { open: 'active', missed: 'expired', sold: 'fulfilled' };
    for (const [id, state] of Object.entries(offers)) {
      await client.query(
        `insert into registration.registration (id, business_unit_id, event_id, attendee_id, contact_id, email,
           normal_email, active_email, status, type, checkin_code, registered_at, version)
         values ($1, 'unit', 'evt', 'att', 'con', $1, $1, $1, 'waitlisted', 'attendee', $1, now(), 1)`,
        [id],
      );
      await client.query(
        `insert into registration.seat_reservation (id, business_unit_id, event_id, state, registration_id, taken_by)
         values ('offer_' || $1, 'unit', 'evt', $2, $1, $3)`,
        [id, state, state === 'fulfilled' ? 'ord_unpaid' : null],
      );
    }
    expect(await violatedTitles()).toEqual(
      expect.arrayContaining([
        'every open offer belongs to one waitlisted registration',
        'every offer that has ended was taken, has expired or was withdrawn',
        'an offer is fulfilled by an order that was fulfilled',
      ]),
    );
  });

  test('finds unpublished messages and dead letters', async () => {
    await client.query(
      `insert into registration.outbox_message (id, payload) values (gen_random_uuid(), '[]')`,
    );
    await client.query(
      `insert into registration.dead_letter (stream_created_at, seq, index, body, error) values ('one', 1, 0, '{}', 'why')`,
    );
    expect(await violatedTitles()).toEqual([
      'registration has no unpublished messages',
      'registration has no dead letters',
    ]);
  });
});
