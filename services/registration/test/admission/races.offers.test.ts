import { writtenChanges } from '@event-api/platform/testing/changes';
import type { AdmissionRequest } from '../../src/admission/requests.ts';
import { createPerson } from '../../src/registrations/person.ts';
import {
  createReserveRequest,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { type Course, describeRaces, submit, unless } from './race.ts';

type Replica = 0 | 1;

/** An event with a type of this capacity, all confirmed, and so many waitlisted registrations. */
async function createFixture(course: Course, capacity: number, waiting: number) {
  const { sql } = course;
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, {
    capacity,
    allowWaitlist: true,
    priceAmount: 2500,
  });
  const people: { id: string; email: string }[] = [];
  for (let n = 0; n < capacity + waiting; n++) {
    const email = someEmail();
    const person = createPerson(scope.businessUnitId, { email, name: null });
    const input = { person, ticketTypeId: typeId, codeKey: null };
    await submit(course, 0, scope, { kind: 'register', input });
    people.push({ id: person.registrationId, email });
  }
  const order = (email: string) =>
    createReserveRequest(scope, typeId, [email], { acceptsApproval: false });
  const cancel = (replica: Replica, { id }: { id: string }) =>
    submit(course, replica, scope, { kind: 'cancel', registrationId: id });
  const run = (replica: Replica, request: AdmissionRequest) =>
    submit(course, replica, scope, request);
  return {
    scope,
    typeId,
    confirmed: people.slice(0, capacity),
    waiting: people.slice(capacity),
    order,
    cancel,
    run,
    countOffers: async () => {
      const rows = await sql<{ state: string; count: string }>(
        'select state, count(*) from registration.seat_reservation where registration_id is not null and event_id = $1 group by 1',
        [scope.eventId],
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
  };
}

const none = { id: '', email: '' };
describeRaces('concurrent offers', {
  'two seats that become available are offered to two registrations': async (course) => {
    const { confirmed, cancel, countOffers } = await createFixture(course, 2, 3);
    await course.begin();
    await Promise.all([cancel(0, confirmed[0] ?? none), cancel(1, confirmed[1] ?? none)]);
    const offers = await countOffers();
    return unless(offers.active === 2, 'offers', offers);
  },

  'an offer is taken by one of two orders of its email': async (course) => {
    const { confirmed, waiting, cancel, run, order, countOffers } = await createFixture(
      course,
      1,
      2,
    );
    const [a = none] = waiting;
    await cancel(0, confirmed[0] ?? none);
    await course.begin();
    const outcomes = await Promise.all([
      run(0, { kind: 'reserve', input: order(a.email) }),
      run(1, { kind: 'reserve', input: order(a.email) }),
    ]);
    const offers = await countOffers();
    const isFine =
      outcomes.toSorted().join() === 'already_registered,reserved' && offers.taken === 1;
    return unless(isFine, 'outcomes', { outcomes, offers });
  },

  'an offer is taken while its registration is cancelled: its seat is given once': async (
    course,
  ) => {
    const { confirmed, waiting, cancel, run, order } = await createFixture(course, 1, 2);
    const [a = none] = waiting;
    await cancel(0, confirmed[0] ?? none);
    await course.begin();
    const outcomes = await Promise.all([
      run(0, { kind: 'reserve', input: order(a.email) }),
      cancel(1, a),
    ]);
    const isFine = ['reserved,changed', 'SOLD_OUT,changed'].includes(outcomes.join());
    return unless(isFine, 'outcomes', outcomes);
  },

  'an order ends after the time of its offer while its registration is cancelled: the seat is offered once':
    async (course) => {
      const { confirmed, waiting, cancel, run, order, countOffers } = await createFixture(
        course,
        1,
        2,
      );
      const [a = none, b = none] = waiting;
      const mine = order(a.email);
      await cancel(0, confirmed[0] ?? none);
      await run(0, { kind: 'reserve', input: mine });
      await course.sql(
        `with o as (update registration.seat_reservation set expires_at = '2020-01-01Z' where registration_id = $1)
       update registration.registration set offer_expires_at = '2020-01-01Z' where id = $1`,
        [a.id],
      );
      await course.begin();
      const outcomes = await Promise.all([
        run(0, { kind: 'release', reservationId: mine.reservationId, onlyIfExpired: false }),
        cancel(1, a),
      ]);
      const offers = await countOffers();
      const changes = await writtenChanges(course, 'registration', [b.id]);
      const reported = changes.filter(({ type }) => type === 'registration.seat_offered');
      const isFine =
        outcomes.join() === 'released,changed' && offers.active === 1 && reported.length === 1;
      return unless(isFine, 'outcomes', { outcomes, offers, reported: reported.length });
    },

  'an order is paid while its registration is cancelled: the person is not registered again':
    async (course) => {
      const { confirmed, waiting, cancel, run, order } = await createFixture(course, 1, 1);
      const [a = none] = waiting;
      const mine = order(a.email);
      await cancel(0, confirmed[0] ?? none);
      await run(0, { kind: 'reserve', input: mine });
      await course.begin();
      const outcomes = await Promise.all([
        run(0, { kind: 'fulfil', input: { ...mine, reacquire: true } }),
        cancel(1, a),
      ]);
      const rows = await course.sql<{ id: string; status: string }>(
        'select id, status from registration.registration where normal_email = $1',
        [a.email],
      );
      const [reservation] = await course.sql<{ state: string }>(
        'select state from registration.seat_reservation where id = $1',
        [mine.reservationId],
      );
      // If it is cancelled first, the order registers no one.
      const isFine =
        ['fulfilled,changed', 'released,changed'].includes(outcomes.join()) &&
        reservation?.state === outcomes[0] &&
        rows.map(({ id, status }) => `${id} ${status}`).join() === `${a.id} cancelled`;
      return unless(isFine, 'outcomes', { outcomes, rows, reservation });
    },
});
