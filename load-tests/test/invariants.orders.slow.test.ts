import { processNames, projectingServices } from '@event-api/contracts/topology';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { postgresUrl } from '@event-api/platform/testing/servers';
import type { DatabaseUrls } from '@event-api/provisioning/database-urls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { invariants, violatedInvariants } from '../invariants.ts';
import { tablesIn } from '../tables.rules.ts';
import { migrate, writeConsistentData } from './consistent-data.ts';

/** The services with the same list share a database. */
const layouts: Record<string, readonly (readonly string[])[]> = {
  'one database': [projectingServices],
  'a database for each service': projectingServices.map((name) => [name]),
};

describe.each(Object.entries(layouts))(
  'with orders, in %s, violatedInvariants',
  (_title, layout) => {
    let databases: { database: TestDatabase; names: readonly string[] }[];
    let urls: DatabaseUrls<(typeof processNames)[number]>;

    beforeAll(async () => {
      databases = [];
      for (const names of layout) {
        const database = await createTestDatabase(await postgresUrl());
        databases.push({ database, names });
        await migrate(database, names);
      }
      urls = Object.fromEntries(
        processNames.map((name) => [name, databaseOf(name).url]),
      ) as typeof urls;
    }, 600_000);
    afterAll(async () => {
      for (const { database } of databases) await database.drop();
    });
    beforeEach(() => writeConsistentData(sql));

    /** The first one has no tables of the processes that have none here. */
    function databaseOf(name: string): TestDatabase {
      const found = databases.find(({ names }) => names.includes(name)) ?? databases[0];
      if (found === undefined) throw new Error('there is no database');
      return found.database;
    }
    async function sql<Row>(text: string, values?: unknown[]): Promise<Row[]> {
      const [table] = tablesIn(text, processNames);
      return databaseOf(table?.process ?? '').sql<Row>(text, values);
    }
    const check = () => violatedInvariants(urls);
    const violatedTitles = async () => Object.keys((await check()).broken);

    test('checks all invariants and finds no violation in consistent data', async () => {
      expect(await check()).toEqual({
        checked: invariants.length,
        broken: {},
      });
    });

    test('finds no violation in a registration without an order and without a code', async () => {
      await sql('truncate commerce.customer_order, commerce.order_line, commerce.refund');
      await sql('truncate commerce.journal_entry');
      await sql('truncate commerce.cancelled_seat, commerce.order_change, commerce.claim_link');
      await sql('truncate registration.seat_reservation, registration.seat_reservation_item');
      await sql('truncate registration.redemption_code, registration.registration_addon');
      await sql('update registration.registration set order_id = null, redemption_code_id = null');
      await sql('update commerce.registration_projection set order_id = null');
      await sql(`update commerce.settlement set order_id = null, state = 'unmatched'`);
      expect((await check()).broken).toEqual({});
    });

    const order = 'update commerce.customer_order set';
    const reservation = 'update registration.seat_reservation set';
    const settlement = 'update commerce.settlement set';

    test.each<[title: string, statement: string]>([
      [
        'each order is fulfilled at most once',
        `${reservation} fulfilment = jsonb_set(fulfilment, '{seats,0,registrationId}', '"reg_other"')`,
      ],
      [
        'each created registration belongs to an order that lists it',
        `update registration.registration set order_id = null`,
      ],
      [
        'each seat of a paid order is assigned or open',
        `update commerce.order_line set registration_ids = '{}'`,
      ],
      [
        'each seat of a paid order is assigned or open',
        `update commerce.order_line set registration_ids = '{reg_other}'`,
      ],
      ['a paid order has its add-ons', 'delete from registration.registration_addon'],
      [
        'a paid order has its add-ons',
        `${reservation} fulfilment = jsonb_set(fulfilment, '{addonRegistrationId}', 'null')`,
      ],
      [
        'orders are paid exactly when their reservation is fulfilled',
        `${reservation} state = 'released'`,
      ],
      ['orders are paid exactly when their reservation is fulfilled', `${order} status = 'held'`],
      ['a closed order has no active registrations', `${order} status = 'cancelled'`],
      [
        'a closed order has no active registrations',
        `${order} status = 'refunded', revoked_at = now()`,
      ],
      [
        'active reservations belong to open orders',
        `${reservation} state = 'active', expires_at = now() + interval '1 hour'`,
      ],
      [
        'open seats belong to paid orders that list them',
        `${reservation} state = 'active', order_id = 'ord', id = 'seat_1'`,
      ],
      [
        'each assigned seat is in the place of its order',
        "update registration.registration set seat_id = 'seat_1'",
      ],
      ['reserved seats equal the active reservations', `${reservation} state = 'active'`],
      ['references of commerce are complete', `update commerce.refund set order_id = 'ord_other'`],
      ['references of commerce are complete', 'delete from commerce.order_line'],
      [
        'references of registration are complete',
        `update registration.registration set attendee_id = 'att_other'`,
      ],
      [
        'each seat of a fulfilled reservation is assigned or open',
        `${reservation} fulfilment = jsonb_set(fulfilment, '{seats,0,registrationId}', '"reg_other"')`,
      ],
      [
        'uses of a code equal its active registrations and reservations',
        'update registration.redemption_code set uses = 0',
      ],
      ['each settlement either pays for its order or is refunded', `${settlement} state = 'late'`],
      ['each settlement either pays for its order or is refunded', `${order} settlement_id = null`],
      [
        'each settlement either pays for its order or is refunded',
        `${order} status = 'refund_due'`,
      ],
      ['refunds do not exceed their settlement', 'update commerce.refund set amount = 101'],
      ['each paid order has a settlement of its total', `${settlement} amount = 99`],
      ['money received equals money kept, due and refunded', `${settlement} amount = 99`],
      [
        'each cancelled seat is refunded once, by what its policy promises',
        'update commerce.cancelled_seat set refund_amount = 20, kept_amount = 80',
      ],
      [
        'each cancelled seat is refunded once, by what its policy promises',
        'update commerce.cancelled_seat set kept_amount = 99',
      ],
      [
        'a cancelled seat gets the percentage of its band without the fee',
        `update commerce.refund set state = 'failed'; ${order} addon_ids = '{}'; update commerce.cancelled_seat set reason = 'band', band = 0, refund_amount = 1, kept_amount = 99`,
      ],
      ['the total of an order is the sum of its lines', `${order} total_amount = 99`],
      [
        'a cancelled event has nothing active, and nothing to pay back is left',
        "update catalog.event set cancelled_at = now(), cancellation_refund = 'none'",
      ],
      [
        'a seat that was cancelled before its event is decided before the refund of the event',
        `update commerce.cancelled_seat set ended_with_event = false; ${order} event_cancelled_at = now() - interval '1 year'`,
      ],
      [
        'a cancelled event pays back in full what no policy has kept',
        `update catalog.event set cancellation_refund = 'full'; ${order} event_cancelled_at = now(); update commerce.refund set cause = 'event_cancelled'`,
      ],
      [
        'the total of an order is the sum of its lines',
        'update commerce.order_line set quantity = 2',
      ],
      [
        'the policy of an order applies to each of its cancelled seats',
        "update registration.registration set status = 'cancelled', active_email = null",
      ],
      [
        'what a change of an order has quoted is paid back or due, and no more',
        `update commerce.order_change set quote = '{"refund": 1}'`,
      ],
      [
        'what a change of an order has quoted is paid back or due, and no more',
        "update commerce.refund set cause = 'refund_policy'",
      ],
      [
        'the executed changes of an order have cancelled each of their seats and units, once',
        `${order} seats = '[{"isCancelled": true}]'`,
      ],
      [
        'the executed changes of an order have cancelled each of their seats and units, once',
        `update commerce.order_change set request = '{"cancelSeats": ["seat_1"]}'`,
      ],
      [
        'the executed changes of an order have cancelled each of their seats and units, once',
        `update commerce.order_change set request = '{"cancelSeats": [], "cancelAddons": [{"quantity": 1}]}'`,
      ],
      [
        'a seat that a change has cancelled has no holder',
        `${order} seats = '[{"isCancelled": true}]'`,
      ],
      [
        'a seat that a change has cancelled has no holder',
        `${order} seats = '[{"isCancelled": true}]'; update commerce.order_line set registration_ids = '{seat_1}'; ${reservation} state = 'active', id = 'seat_1'`,
      ],
      [
        'registration knows what is paid for each seat of an order',
        `${order} seats = '[{"ticketTypeId": "tt", "amount": 60, "changedTo": {"ticketTypeId": "tt", "amount": 50}}]'; ${reservation} fulfilment = jsonb_set(fulfilment, '{seats,0,amount}', '60')`,
      ],
      [
        'changes give the seats of an order no more than was paid for them',
        `${order} seats = '[{"amount": 60, "changedTo": {"ticketTypeId": "tt", "amount": 80}}, {"amount": 60, "changedTo": {"ticketTypeId": "tt", "amount": 41}}]'`,
      ],
      [
        'an open seat has the ticket type of its order',
        `${order} seats = '[{"ticketTypeId": "tt", "amount": 60, "changedTo": {"ticketTypeId": "tt_day", "amount": 50}}]'; ${reservation} state = 'active', id = 'seat_1', order_id = 'ord', ticket_type_id = 'tt'`,
      ],
      [
        'nobody has units of an add-on that a change has cancelled',
        `${order} addons = '[{"line": 0, "addonId": "add"}]', cancelled_addons = '[{"line": 0, "quantity": 1, "amount": 0}]'`,
      ],
      [
        'references of commerce are complete',
        `update commerce.order_change set order_id = 'ord_x'`,
      ],
      [
        'the counts of each door equal its check-ins',
        'update onsite.checkin_count set checked_in = 0',
      ],
      [
        'the counts of each door equal its check-ins',
        'update onsite.checkin set undone_at = now()',
      ],
      ['the counts of each door equal its check-ins', 'update onsite.checkin set overruled = true'],
      [
        'every check-in belongs to the event of its registration',
        `update onsite.checkin set registration_id = 'reg_other'`,
      ],
      [
        'every check-in belongs to the event of its registration',
        `update onsite.checkin set business_unit_id = 'unit_other'`,
      ],
      [
        'every record belongs to the business unit of its event',
        `update onsite.checkin set event_id = 'evt_other'`,
      ],
      [
        'every record belongs to the business unit of its event',
        `${order} business_unit_id = 'unit_other'`,
      ],
      [
        'every registration belongs to the business unit of its event',
        `update registration.registration set business_unit_id = 'unit_other'`,
      ],
      [
        'registration.ticket_type_projection equals catalog.ticket_type (capacity, status)',
        'update catalog.ticket_type set capacity = 9',
      ],
      [
        'commerce.ticket_type_projection equals catalog.ticket_type (version, business_unit_id)',
        'update catalog.ticket_type set version = 2',
      ],
      [
        'onsite.registration_projection equals registration.registration (version, business_unit_id, status, checkin_code, name)',
        'delete from onsite.registration_projection',
      ],
      [
        'commerce.registration_projection equals registration.registration (version, business_unit_id, status, order_id)',
        `update commerce.registration_projection set status = 'pending'`,
      ],
      [
        'onsite has the perks of every code',
        `insert into registration.redemption_code_perk values ('code', 'perk', 'unit'); insert into onsite.redemption_code_projection values ('code', 'unit', 'evt', 1, '{}')`,
      ],
      [
        'seat counts of catalog equal the seat ledger',
        'update catalog.seat_count set confirmed = 0',
      ],
      ...[
        `${order} tax_amount = 15`,
        'update commerce.order_line set tax_amount = 15',
        `${settlement} tax_amount = 15`,
        'update commerce.refund set tax_amount = 31',
        'update commerce.refund set amount = 100; update commerce.refund set tax_amount = 15',
      ].map((statement): [string, string] => [
        'the tax of an order is in its lines, in its payment, and in refunds of all of it',
        statement,
      ]),
      [
        'the total of an order is the sum of its lines',
        `update commerce.order_line set taxes = jsonb_set(taxes, '{0,rate,mode}', '"exclusive"')`,
      ],
      ['the journal equals the payments, refunds and disputes', 'truncate commerce.journal_entry'],
      [
        'the journal equals the payments, refunds and disputes',
        `insert into commerce.journal_entry select 99, business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at from commerce.journal_entry where cause = 'charge'`,
      ],
      [
        'digests count the entries of closed days',
        `insert into commerce.journal_digest select business_unit_id, currency, to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD'), 99, '[]', '', null, '' from commerce.journal_entry limit 1`,
      ],
      [
        'refunds of a whole payment return the whole fee of the platform, and no refund more',
        'update commerce.refund set fee_amount = 1',
      ],
      ['no amount is negative', 'update commerce.order_line set discount_amount = -1'],
    ])('finds a violation of: %s (%s)', async (title, statement) => {
      for (const each of statement.split('; ')) await sql(each);
      expect(await violatedTitles()).toContain(title);
    });

    const cancelledInFull = `update catalog.event set cancelled_at = now(), cancellation_refund = 'full'`;

    test('subtracts what is kept of cancelled units from what a cancelled event pays back', async () => {
      const title = 'a cancelled event pays back in full what no policy has kept';
      await sql(cancelledInFull);
      await sql('delete from commerce.cancelled_seat');
      await sql(
        `${order} event_cancelled_at = now(), cancelled_addons = '[{"line": 0, "quantity": 1, "amount": 50}]'`,
      );
      await sql(`update commerce.refund set cause = 'refund_policy', amount = 40`);
      await sql(`insert into commerce.refund select (jsonb_populate_record(r,
        '{"id": "rfd_2", "cause": "event_cancelled", "amount": 50}')).* from commerce.refund r`);
      expect(await violatedTitles()).not.toContain(title);
      await sql(`update commerce.refund set amount = 60 where id = 'rfd_2'`);
      expect(await violatedTitles()).toContain(title);
    });

    test('leaves a refund of a cancelled event that the provider has refused to an operator', async () => {
      const title = 'a cancelled event has nothing active, and nothing to pay back is left';
      await sql(cancelledInFull);
      await sql('update commerce.event_cancellation set finished_at = now()');
      await sql(`${order} event_cancelled_at = now()`);
      await sql(`update registration.registration set status = 'cancelled', active_email = null`);
      await sql(`update commerce.refund set state = 'due', failure = 'card closed'`);
      expect(await violatedTitles()).not.toContain(title);
      await sql('update commerce.refund set failure = null');
      expect(await violatedTitles()).toContain(title);
    });

    test('finds a payment with two settlements and a badge with two check-ins when the constraints are dropped', async () => {
      await sql('alter table commerce.settlement drop constraint settlement_payment');
      await sql('drop index onsite.checkin_once');
      await sql(`insert into commerce.settlement select (jsonb_populate_record(s,
      '{"id": "stl_2", "provider_notification_id": "evt_2"}')).* from commerce.settlement s`);
      await sql(
        `insert into onsite.checkin select (jsonb_populate_record(c, '{"id": "chk_2"}')).* from onsite.checkin c`,
      );
      expect(await violatedTitles()).toEqual(
        expect.arrayContaining([
          'each provider payment has at most one settlement',
          'each badge has at most one check-in per subject',
        ]),
      );
    });
  },
);
