import { seatIdOf } from '@event-api/contracts/seat-ids';
import { createPerson } from '../../src/registrations/person.ts';
import {
  createReserveRequest,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { type Course, describeRaces, submit, unless } from './race.ts';

/** Two orders: of a person, and of an open seat; and a type with one seat. */
async function sellSeats(course: Course) {
  const { sql } = course;
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity: 5 });
  const lastId = await createTestTicketType(sql, scope, { capacity: 1 });
  const sell = async (email: string | null) => {
    const person =
      email === null ? null : createPerson(scope.businessUnitId, { email, name: null });
    const seats = [{ person, ticketTypeId: typeId, inBundle: false, amount: 500 }];
    const input = createReserveRequest(scope, typeId, [], { seats });
    await submit(course, 0, scope, { kind: 'reserve', input });
    await submit(course, 0, scope, { kind: 'fulfil', input: { ...input, reacquire: false } });
    const orderId = input.reservationId;
    return { orderId, holderId: person?.registrationId ?? seatIdOf(orderId, 0) };
  };
  const change = (
    { orderId, holderId }: { orderId: string; holderId: string },
    { to = lastId, changeId = `quo_${orderId}` } = {},
  ) =>
    ({
      kind: 'change_types',
      input: {
        ...{ orderId, changeId, isFinal: true, again: false, counts: [] },
        seats: [{ holderId, ticketTypeId: to, amount: 100 }],
      },
    }) as const;
  return { scope, lastId, sell, change };
}

describeRaces('changes of ticket types', {
  'of two seats to the last one of a type: one gets it': async (course) => {
    const { scope, sell, change } = await sellSeats(course);
    const [named, open] = [await sell(someEmail()), await sell(null)];
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, change(named)),
      submit(course, 1, scope, change(open)),
    ]);
    return unless(outcomes.toSorted().join() === 'SOLD_OUT,changed', 'outcomes', outcomes);
  },

  'to the last seat that an order wants: one gets it': async (course) => {
    const { scope, lastId, sell, change } = await sellSeats(course);
    const named = await sell(someEmail());
    const input = createReserveRequest(scope, lastId, [someEmail()]);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, change(named)),
      submit(course, 1, scope, { kind: 'reserve', input }),
    ]);
    const isFine = ['SOLD_OUT,reserved', 'SOLD_OUT,changed'].includes(outcomes.toSorted().join());
    return unless(isFine, 'outcomes', outcomes);
  },

  'of one seat to two types: it has one of them': async (course) => {
    const { scope, sell, change } = await sellSeats(course);
    const otherId = await createTestTicketType(course.sql, scope);
    const named = await sell(someEmail());
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, change(named)),
      submit(course, 1, scope, change(named, { to: otherId, changeId: 'quo_other' })),
    ]);
    return unless(outcomes.join() === 'changed,changed', 'outcomes', outcomes);
  },

  'of a registration that is cancelled: its seat is free': async (course) => {
    const { scope, sell, change } = await sellSeats(course);
    const named = await sell(someEmail());
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, change(named)),
      submit(course, 1, scope, { kind: 'cancel', registrationId: named.holderId }),
    ]);
    const isFine = ['SEAT_CANCELLED', 'changed'].includes(outcomes[0] ?? '');
    return unless(isFine, 'outcomes', outcomes);
  },

  'of an open seat that is assigned: its attendee gets the type': async (course) => {
    const { scope, lastId, sell, change } = await sellSeats(course);
    const open = await sell(null);
    const person = createPerson(scope.businessUnitId, { email: someEmail(), name: null });
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, change(open)),
      submit(course, 1, scope, {
        kind: 'assign',
        input: { orderId: open.orderId, seatId: open.holderId, person },
      }),
    ]);
    const [row] = await course.sql(
      'select ticket_type_id as id from registration.registration where event_id = $1 and active_email is not null',
      [scope.eventId],
    );
    const found = [...outcomes, row?.id === lastId];
    return unless(found.join() === 'changed,assigned,true', 'found', found);
  },
});
