import type { EventScope } from '@event-api/contracts/internal/scope';
import { seatIdOf } from '@event-api/contracts/seat-ids';
import { createPerson } from '../../src/registrations/person.ts';
import {
  createReserveRequest,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { type Course, describeRaces, submit, unless } from './race.ts';

/** Sells an order of open seats. */
async function sellOpenSeats(course: Course, count: number) {
  const { sql } = course;
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity: count });
  const seats = Array.from({ length: count }, () => ({
    person: null,
    ticketTypeId: typeId,
    inBundle: false,
  }));
  const input = createReserveRequest(scope, typeId, [], { seats });
  await submit(course, 0, scope, { kind: 'reserve', input });
  await submit(course, 0, scope, { kind: 'fulfil', input: { ...input, reacquire: false } });
  const orderId = input.reservationId;
  const assign = (place: number, email = someEmail()) =>
    ({
      kind: 'assign',
      input: {
        orderId,
        seatId: seatIdOf(orderId, place),
        person: createPerson(scope.businessUnitId, { email, name: null }),
      },
    }) as const;
  return { scope, typeId, orderId, assign };
}

const activeOf = (sql: Course['sql'], { eventId }: EventScope) =>
  sql('select id from registration.registration where event_id = $1 and active_email is not null', [
    eventId,
  ]);

describeRaces('open seats', {
  'two persons are assigned to one seat: one gets it': async (course) => {
    const { scope, assign } = await sellOpenSeats(course, 1);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, assign(0)),
      submit(course, 1, scope, assign(0)),
    ]);
    return unless(outcomes.toSorted().join() === 'assigned,not_open', 'outcomes', outcomes);
  },

  'one person is assigned to two seats: gets one': async (course) => {
    const { scope, assign } = await sellOpenSeats(course, 2);
    const email = someEmail();
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, assign(0, email)),
      submit(course, 1, scope, assign(1, email)),
    ]);
    return unless(
      outcomes.toSorted().join() === 'assigned,attendee_registered',
      'outcomes',
      outcomes,
    );
  },

  'a seat is assigned to a person who registers: one of them has the person': async (course) => {
    const { scope, assign } = await sellOpenSeats(course, 1);
    const freeId = await createTestTicketType(course.sql, scope);
    const email = someEmail();
    const { person } = assign(0, email).input;
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, assign(0, email)),
      submit(course, 1, scope, {
        kind: 'register',
        input: { person, ticketTypeId: freeId, codeKey: null },
      }),
    ]);
    const isFair = ['assigned,already_registered', 'attendee_registered,registered'];
    return unless(isFair.includes(outcomes.join()), 'outcomes', outcomes);
  },

  'a seat is assigned while its order is revoked: nobody keeps it': async (course) => {
    const { scope, orderId, assign } = await sellOpenSeats(course, 2);
    await course.begin();
    const outcomes = await Promise.all([
      submit(course, 0, scope, assign(0)),
      submit(course, 1, scope, { kind: 'revoke', orderId }),
    ]);
    const kept = await activeOf(course.sql, scope);
    return unless(kept.length === 0, 'kept', { kept, outcomes });
  },

  'all seats of an order are assigned at once: each is, and none is left': async (course) => {
    const { scope, assign } = await sellOpenSeats(course, 6);
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => submit(course, n % 2 ? 1 : 0, scope, assign(n))),
    );
    const active = await activeOf(course.sql, scope);
    return unless(active.length === 6, 'active', { active, outcomes });
  },
});
