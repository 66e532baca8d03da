import { createTestDatabase } from '@event-api/platform/testing/database';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { violatedInvariants } from '../invariants.ts';
import { migrate } from './consistent-data.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  await migrate(database, ['registration']);
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  await client.query(`truncate registration.seat_ledger, registration.ticket_type_copy,
    registration.dead_letter, registration.outbox_message`);
});

async function ledger(counts: { confirmed: number; held: number; capacity: number }) {
  await client.query(
    `insert into registration.ticket_type_copy (id, business_unit_id, event_id, version, name, capacity,
      allow_waitlist, is_public, requires_approval, status, price_amount, sort_order, created_at, perk_ids)
     values ('tt', 'unit', 'evt', 1, 'Seat', $1, false, true, false, 'open', 0, 0, now(), '{}')`,
    [counts.capacity],
  );
  await client.query(
    `insert into registration.seat_ledger (ticket_type_id, business_unit_id, event_id, confirmed, held, version)
     values ('tt', 'unit', 'evt', $1, $2, 1)`,
    [counts.confirmed, counts.held],
  );
}

const brokenTitles = async () => Object.keys((await violatedInvariants(database.url)).broken);

describe('the checker', () => {
  test('asks whatever it can and finds nothing in an empty database', async () => {
    const { checked, broken } = await violatedInvariants(database.url);
    expect(broken).toEqual({});
    // Those of registration; tables of services that were never migrated are left out.
    expect(checked).toBeGreaterThanOrEqual(8);
  });

  test('finds a ticket type that was oversold, and counters that are not the rows', async () => {
    await ledger({ confirmed: 2, held: 0, capacity: 1 });
    expect(await brokenTitles()).toEqual([
      'no ticket type has given more seats than it has',
      'the counters are the rows',
    ]);
  });

  test('finds seats that are held by nobody', async () => {
    await ledger({ confirmed: 0, held: 1, capacity: 1 });
    expect(await brokenTitles()).toEqual(['held seats are those of live claims']);
  });

  test('finds what the bus was never told, and what could not be applied', async () => {
    await client.query(
      `insert into registration.outbox_message (id, payload) values (gen_random_uuid(), '[]')`,
    );
    await client.query(
      `insert into registration.dead_letter (incarnation, seq, index, body, error) values ('one', 1, 0, '{}', 'why')`,
    );
    expect(await brokenTitles()).toEqual([
      'registration owes the bus nothing',
      'registration could apply every record',
    ]);
  });
});
