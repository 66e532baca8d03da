import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { invariants, violatedInvariants } from '../invariants.ts';
import { migrate, writeSoundWorld } from './consistent-data.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  await migrate(database, ['catalog', 'registration', 'commerce', 'onsite']);
});
afterAll(() => database?.drop());
beforeEach(() => writeSoundWorld(database));

const brokenTitles = async () => Object.keys((await violatedInvariants(database.url)).broken);

describe('in a world of orders', () => {
  test('in which all is well nothing is found, and everything was asked', async () => {
    expect(await violatedInvariants(database.url)).toEqual({
      checked: invariants.length,
      broken: {},
    });
  });

  test('in which somebody has come without an order and without a code, and there are none, nothing is found', async () => {
    await database.sql('truncate commerce.customer_order, commerce.order_line, commerce.refund');
    await database.sql('truncate registration.seat_claim, registration.seat_claim_seats');
    await database.sql('truncate registration.redemption_code, registration.registration_addon');
    await database.sql(
      'update registration.registration set order_id = null, redemption_code_id = null',
    );
    await database.sql(`update commerce.settlement set order_id = null, state = 'unmatched'`);
    expect((await violatedInvariants(database.url)).broken).toEqual({});
  });

  const order = 'update commerce.customer_order set';
  const claim = 'update registration.seat_claim set';
  const settlement = 'update commerce.settlement set';

  test.each<[title: string, sql: string]>([
    [
      'each order was fulfilled at most once',
      `${claim} fulfilment = jsonb_set(fulfilment, '{seats,0,made}', 'false')`,
    ],
    [
      'a paid order has a registration for each of its seats',
      `update commerce.order_line set registration_ids = '{}'`,
    ],
    [
      'a paid order has a registration for each of its seats',
      `update commerce.order_line set registration_ids = '{reg_other}'`,
    ],
    ['a paid order has its add-ons', 'delete from registration.registration_addon'],
    [
      'a paid order has its add-ons',
      `${claim} fulfilment = jsonb_set(fulfilment, '{addonRegistrationId}', 'null')`,
    ],
    [
      'an order is paid when its claim is fulfilled, and at no other time',
      `${claim} state = 'released'`,
    ],
    [
      'an order is paid when its claim is fulfilled, and at no other time',
      `${order} status = 'held'`,
    ],
    ['a closed order has no active registration of its own', `${order} status = 'cancelled'`],
    [
      'a closed order has no active registration of its own',
      `${order} status = 'refunded', revoked_at = now()`,
    ],
    [
      'live claims belong to live orders',
      `${claim} state = 'held', expires_at = now() + interval '1 hour'`,
    ],
    ['held seats are those of live claims', `${claim} state = 'held'`],
    [
      'what commerce keeps belongs to an order',
      `update commerce.refund set order_id = 'ord_other'`,
    ],
    ['what commerce keeps belongs to an order', 'delete from commerce.order_line'],
    [
      'what registration keeps belongs to something',
      `update registration.registration set attendee_id = 'att_other'`,
    ],
    [
      'a fulfilled claim has made each of its registrations',
      `${claim} fulfilment = jsonb_set(fulfilment, '{seats,0,registrationId}', '"reg_other"')`,
    ],
    [
      'the uses of a code are its active registrations and live claims',
      'update registration.redemption_code set uses = 0',
    ],
    [
      'each settlement has paid for its order or is owed back, and not both',
      `${settlement} state = 'late'`,
    ],
    [
      'each settlement has paid for its order or is owed back, and not both',
      `${order} settlement_id = null`,
    ],
    [
      'each settlement has paid for its order or is owed back, and not both',
      `${order} status = 'refund_due'`,
    ],
    ['no more was given back than was received', 'update commerce.refund set amount = 101'],
    ['the money of a paid order has come in', `${settlement} amount = 99`],
    ['the money received is what was kept, is due and was given back', `${settlement} amount = 99`],
    [
      "every check-in is of its registration's event",
      `update onsite.checkin set registration_id = 'reg_other'`,
    ],
    [
      "every check-in is of its registration's event",
      `update onsite.checkin set business_unit_id = 'unit_other'`,
    ],
    ['every record of an event is of its unit', `update onsite.checkin set event_id = 'evt_other'`],
    ['every record of an event is of its unit', `${order} business_unit_id = 'unit_other'`],
    [
      "every registration is of its event's unit",
      `update registration.registration set business_unit_id = 'unit_other'`,
    ],
    [
      'registration.ticket_type_copy is what catalog.ticket_type is (capacity, status)',
      'update catalog.ticket_type set capacity = 9',
    ],
    [
      'commerce.ticket_type_copy is what catalog.ticket_type is (version, business_unit_id)',
      'update catalog.ticket_type set version = 2',
    ],
    [
      'onsite.registration_copy is what registration.registration is (version, business_unit_id, status, checkin_code)',
      'delete from onsite.registration_copy',
    ],
    [
      'onsite knows the perks of every code',
      `insert into registration.redemption_code_perk values ('code', 'perk', 'unit'); insert into onsite.redemption_code_copy values ('code', 'unit', 'evt', 1, '{}')`,
    ],
    ['catalog counts what registration has given', 'update catalog.seat_count set confirmed = 0'],
    ['no amount is negative', 'update commerce.order_line set discount_amount = -1'],
  ])('finds that not: %s (%s)', async (title, sql) => {
    await database.sql(sql);
    expect(await brokenTitles()).toContain(title);
  });

  test('finds a payment that counts twice, and a badge that passed twice, where no constraint forbids them', async () => {
    await database.sql('alter table commerce.settlement drop constraint settlement_payment');
    await database.sql('alter table onsite.checkin drop constraint checkin_once');
    await database.sql(`insert into commerce.settlement select (jsonb_populate_record(s,
      '{"id": "stl_2", "provider_event_id": "evt_2"}')).* from commerce.settlement s`);
    await database.sql(
      `insert into onsite.checkin select (jsonb_populate_record(c, '{"id": "chk_2"}')).* from onsite.checkin c`,
    );
    expect(await brokenTitles()).toEqual(
      expect.arrayContaining([
        'each payment of a provider counts once',
        'nobody passed a door twice',
      ]),
    );
  });
});
