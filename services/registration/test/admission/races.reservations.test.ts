import type { ReserveRequest } from '../../src/reservations/reservations.rules.ts';
import {
  createReserveRequest,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  expireReservation,
  someEmail,
} from '../fixtures.ts';
import { createTestAddon, joinGroup, setCapacityGroups } from '../projection-fixtures.ts';
import { type Course, describeRaces, submit, unless } from './race.ts';

const reserve = (input: ReserveRequest) => ({ kind: 'reserve', input }) as const;
const fulfil = (input: ReserveRequest, reacquire = false) =>
  ({ kind: 'fulfil', input: { ...input, reacquire } }) as const;
const release = ({ reservationId }: ReserveRequest) =>
  ({ kind: 'release', reservationId, onlyIfExpired: false }) as const;
const register = (request: ReserveRequest) => {
  const [{ person, ticketTypeId } = { person: null, ticketTypeId: null }] = request.seats;
  if (!person) throw new Error('nobody to register');
  return { kind: 'register', input: { person, ticketTypeId, codeKey: null } } as const;
};

async function createFixture({ sql }: Course, capacity: number | null, allowWaitlist = false) {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity, allowWaitlist });
  const order = (fields: Partial<ReserveRequest> = {}, people = 1) => {
    const emails = Array.from({ length: people }, someEmail);
    return createReserveRequest(scope, typeId, emails, fields);
  };
  return { scope, typeId, order };
}

/** Expires a reservation now. */
const expire = ({ sql }: Course, { reservationId }: ReserveRequest) =>
  expireReservation(sql, reservationId);

const stateOf = async ({ sql }: Course, { reservationId }: ReserveRequest) => {
  const rows = await sql<{ state: string }>(
    'select state from registration.seat_reservation where id = $1',
    [reservationId],
  );
  return rows[0]?.state;
};

describeRaces('concurrent reservations', {
  'a reservation and a registration compete for the last seat: one gets it': async (course) => {
    const { scope, order } = await createFixture(course, 1);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, reserve(order())),
      submit(course, 1, scope, register(order())),
    ]);
    const winners = outcomes.filter(
      (outcome) => outcome === 'reserved' || outcome === 'registered',
    );
    const losers = outcomes.filter((outcome) => outcome === 'SOLD_OUT' || outcome === 'sold_out');
    return unless(winners.length === 1 && losers.length === 1, 'outcomes', outcomes);
  },

  'reservations of several seats get all of their seats or none': async (course) => {
    const { scope, order } = await createFixture(course, 10);
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        submit(course, n % 2 ? 1 : 0, scope, reserve(order({}, 3))),
      ),
    );
    const reserved = outcomes.filter((outcome) => outcome === 'reserved').length;
    return unless(reserved === 3, 'reserved', reserved);
  },

  'two orders compete for the last unit of an add-on: one gets it': async (course) => {
    const { scope, order } = await createFixture(course, null);
    const addonId = await createTestAddon(course.sql, scope, [], { capacity: 1 });
    const units = { addonIds: [addonId], addonUnits: [{ addonId, quantity: 1, inBundle: false }] };
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, reserve(order(units))),
      submit(course, 1, scope, reserve(order(units))),
    ]);
    const isFair = outcomes.toSorted().join(' ') === 'ADDON_SOLD_OUT reserved';
    return unless(isFair, 'outcomes', outcomes);
  },

  'orders of two types compete for the last seat of their group: one gets it': async (course) => {
    const { scope, typeId, order } = await createFixture(course, null);
    const otherId = await createTestTicketType(course.sql, scope);
    const group = { id: `cgp_${typeId}`, name: 'Hall', capacity: 1 };
    await setCapacityGroups(course.sql, scope, [group]);
    await joinGroup(course.sql, [typeId, otherId], group.id);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, reserve(order())),
      submit(course, 1, scope, reserve(createReserveRequest(scope, otherId, [someEmail()]))),
    ]);
    const isFair = outcomes.toSorted().join(' ') === 'SOLD_OUT reserved';
    return unless(isFair, 'outcomes', outcomes);
  },

  'orders of several units of an add-on get all of their units or none': async (course) => {
    const { scope, order } = await createFixture(course, null);
    const addonId = await createTestAddon(course.sql, scope, [], { capacity: 10 });
    const units = { addonIds: [addonId], addonUnits: [{ addonId, quantity: 3, inBundle: false }] };
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        submit(course, n % 2 ? 1 : 0, scope, reserve(order(units))),
      ),
    );
    const reserved = outcomes.filter((outcome) => outcome === 'reserved').length;
    return unless(reserved === 3, 'outcomes', outcomes);
  },

  'a group is lowered and raised while orders of its types compete: none is oversold': async (
    course,
  ) => {
    const { scope, typeId, order } = await createFixture(course, null);
    const otherId = await createTestTicketType(course.sql, scope);
    const group = { id: `cgp_${typeId}`, name: 'Hall' };
    const setCapacity = (capacity: number) =>
      setCapacityGroups(course.sql, scope, [{ ...group, capacity }]);
    await setCapacity(2);
    await joinGroup(course.sql, [typeId, otherId], group.id);
    await course.begin();
    const ofOther = () => createReserveRequest(scope, otherId, [someEmail()]);
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, () => submit(course, 0, scope, reserve(order()))),
      ...Array.from({ length: 4 }, () => submit(course, 1, scope, reserve(ofOther()))),
      setCapacity(1).then(() => setCapacity(3)),
    ]);
    // The capacity was three at most, and it is three now.
    const first = outcomes.filter((outcome) => outcome === 'reserved').length;
    await Promise.all([
      submit(course, 0, scope, reserve(order())),
      submit(course, 1, scope, reserve(order())),
    ]);
    return unless(first <= 3, 'outcomes', outcomes);
  },

  'a raised group and a cancellation give their seats to its waitlists once each': async (
    course,
  ) => {
    const { scope, typeId, order } = await createFixture(course, null, true);
    const otherId = await createTestTicketType(course.sql, scope, { allowWaitlist: true });
    const group = { id: `cgp_${typeId}`, name: 'Hall' };
    await setCapacityGroups(course.sql, scope, [{ ...group, capacity: 1 }]);
    await joinGroup(course.sql, [typeId, otherId], group.id);
    const seated = order();
    await submit(course, 0, scope, register(seated));
    for (let n = 0; n < 3; n++) {
      await submit(course, 0, scope, register(createReserveRequest(scope, otherId, [someEmail()])));
    }
    await setCapacityGroups(course.sql, scope, [{ ...group, capacity: 2 }]);
    const registrationId = seated.seats[0]?.person?.registrationId ?? '';
    await course.begin();
    await Promise.all([
      submit(course, 0, scope, { kind: 'cancel', registrationId }),
      submit(course, 1, scope, register(order())),
    ]);
    const rows = await course.sql<{ confirmed: number }>(
      'select confirmed from registration.seat_ledger where ticket_type_id = $1',
      [otherId],
    );
    return unless(rows[0]?.confirmed === 2, 'confirmed', rows);
  },

  'a reservation that is sent to both replicas is created once': async (course) => {
    const { scope, order } = await createFixture(course, 10);
    const wanted = order({}, 2);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, reserve(wanted)),
      submit(course, 0, scope, reserve(order())),
      submit(course, 1, scope, reserve(order())),
      submit(course, 1, scope, reserve(wanted)),
    ]);
    return unless(
      outcomes.every((outcome) => outcome === 'reserved'),
      'outcomes',
      outcomes,
    );
  },

  'an expired reservation and a new registration compete for its seat: one gets it': async (
    course,
  ) => {
    const { scope, order } = await createFixture(course, 1);
    const late = order();
    await submit(course, 0, scope, reserve(late));
    await expire(course, late);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, fulfil(late, true)),
      submit(course, 1, scope, register(order())),
    ]);
    const winners = outcomes.filter((one) => one === 'fulfilled' || one === 'registered');
    return unless(winners.length === 1, 'outcomes', outcomes);
  },

  'a reservation is fulfilled or expires, and releases its seat once': async (course) => {
    const { scope, order } = await createFixture(course, 3);
    const [mine, other] = [order(), order()];
    await submit(course, 0, scope, reserve(mine));
    await expire(course, mine);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, fulfil(mine)),
      submit(course, 1, scope, reserve(other)),
      submit(course, 1, scope, { kind: 'promote' }),
    ]);
    return unless(outcomes.join() === 'unfulfillable,reserved,promoted', 'outcomes', outcomes);
  },

  'a reservation is fulfilled once': async (course) => {
    const { scope, order } = await createFixture(course, 5);
    const mine = order({}, 2);
    await submit(course, 0, scope, reserve(mine));
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, fulfil(mine)),
      submit(course, 1, scope, fulfil(mine)),
    ]);
    return unless(outcomes.join() === 'fulfilled,fulfilled', 'outcomes', outcomes);
  },

  'a reservation is fulfilled or released': async (course) => {
    const { scope, order } = await createFixture(course, 5);
    const mine = order();
    await submit(course, 0, scope, reserve(mine));
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, fulfil(mine)),
      submit(course, 1, scope, release(mine)),
    ]);
    const isFine = ['fulfilled,fulfilled', 'released,released'].includes(outcomes.join());
    return unless(isFine, 'outcomes', outcomes);
  },

  'a reservation is released once': async (course) => {
    const { scope, order } = await createFixture(course, 9);
    const mine = order({}, 3);
    await submit(course, 0, scope, reserve(mine));
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, release(mine)),
      submit(course, 0, scope, reserve(order())),
      submit(course, 1, scope, reserve(order())),
      submit(course, 1, scope, release(mine)),
    ]);
    return unless(outcomes.join() === 'released,reserved,reserved,released', 'outcomes', outcomes);
  },

  'a release is final, whether its reservation has arrived or not': async (course) => {
    const { scope, order } = await createFixture(course, 5);
    const mine = order();
    await submit(course, 0, scope, { kind: 'promote' });
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, release(mine)),
      submit(course, 1, scope, reserve(mine)),
    ]);
    const again = await submit(course, 1, scope, reserve(mine));
    const state = await stateOf(course, mine);
    return unless(again === 'CLOSED' && state === 'released', 'reservation', {
      outcomes,
      again,
      state,
    });
  },

  'one email has at most its limit of reservations': async (course) => {
    const { scope, order } = await createFixture(course, null);
    await course.sql(
      `insert into registration.event_lock (event_id, business_unit_id, max_holds_per_email) values ($1, $2, 3)`,
      [scope.eventId, scope.businessUnitId],
    );
    const buyerEmail = someEmail();
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        submit(course, n % 2 ? 1 : 0, scope, reserve(order({ buyerEmail }))),
      ),
    );
    const reserved = outcomes.filter((outcome) => outcome === 'reserved').length;
    const rejected = outcomes.filter((outcome) => outcome === 'TOO_MANY_HOLDS').length;
    return unless(reserved === 3 && rejected === 7, 'outcomes', outcomes);
  },

  'one email has at most its limit of seats, reserved and confirmed': async (course) => {
    const { scope, order } = await createFixture(course, null);
    await course.sql(
      `insert into registration.event_lock (event_id, business_unit_id, max_seats_per_email) values ($1, $2, 5)`,
      [scope.eventId, scope.businessUnitId],
    );
    const buyerEmail = someEmail();
    const first = order({ buyerEmail }, 2);
    await submit(course, 0, scope, reserve(first));
    await submit(course, 0, scope, fulfil(first));
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, reserve(order({ buyerEmail }, 2))),
      submit(course, 1, scope, reserve(order({ buyerEmail }, 2))),
    ]);
    const isFine = outcomes.toSorted().join() === 'TOO_MANY_SEATS,reserved';
    return unless(isFine, 'outcomes', outcomes);
  },

  'a code is reserved at most as often as its limit': async (course) => {
    const { scope, typeId, order } = await createFixture(course, null);
    const { code } = await createTestCode(course.sql, scope, typeId, { maxUses: 5 });
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        submit(course, n % 2 ? 1 : 0, scope, reserve(order({ codeKey: code.toUpperCase() }, 2))),
      ),
    );
    const reserved = outcomes.filter((outcome) => outcome === 'reserved').length;
    const exceeded = outcomes.filter((outcome) => outcome === 'CODE_USES_EXCEEDED').length;
    return unless(reserved === 2 && exceeded === 4, 'outcomes', outcomes);
  },

  'units of an order are returned twice at once: both returns count': async (course) => {
    const { sql } = course;
    const { scope, order } = await createFixture(course, null);
    const addonId = await createTestAddon(sql, scope, []);
    const placed = order({}, 2);
    const emails = placed.seats.flatMap(({ person }) => person?.normalEmail ?? []);
    const input = {
      ...placed,
      addonIds: [addonId],
      addonUnits: [{ addonId, quantity: 6, inBundle: false }],
      addons: Array.from({ length: 3 }, () => ({ addonId, emails })),
    };
    await submit(course, 0, scope, reserve(input));
    await submit(course, 0, scope, fulfil(input));
    const orderId = input.reservationId;
    const registrations = await sql<{ id: string }>(
      'select id from registration.registration where order_id = $1 order by id',
      [orderId],
    );
    const [first = '', second = ''] = registrations.map(({ id }) => id);
    await course.begin();
    await Promise.all([
      submit(course, 0, scope, {
        ...{ kind: 'return_units', orderId },
        units: [{ registrationId: first, addonId, quantity: 1 }],
      }),
      submit(course, 1, scope, {
        ...{ kind: 'return_units', orderId },
        units: [
          { registrationId: first, addonId, quantity: 2 },
          { registrationId: second, addonId, quantity: 0 },
        ],
      }),
    ]);
    const [units] = await sql<{ kept: number; counted: number }>(
      `select l.confirmed as counted, (select sum(quantity)::int from registration.registration_addon
         where addon_id = l.ticket_type_id) as kept
       from registration.seat_ledger l where l.ticket_type_id = $1`,
      [addonId],
    );
    return unless(units?.kept === 1 && units.counted === 1, 'units', units);
  },
});
