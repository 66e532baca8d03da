import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import {
  changeType,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { type Course, describeRaces, unless } from './race.ts';

const pathOf = ({ eventId }: { eventId: string }) => `/v1/events/${eventId}/registrations`;

/** The number of each kind of response: `201 confirmed`, `412 SOLD_OUT`. */
function tally(responses: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const { registration = body } = body;
    const word = body.error ? body.error.details?.[0]?.reason : registration.status;
    const key = `${status} ${word}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const isTally = (responses: readonly TestResponse[], expected: Record<string, number>) => {
  const counts = tally(responses);
  const same =
    JSON.stringify(Object.entries(counts).sort()) ===
    JSON.stringify(Object.entries(expected).sort());
  return unless(same, 'responses', counts);
};

/** Sends `count` concurrent requests, alternating between the replicas. */
const atOnce = (
  clients: readonly HttpClient[],
  count: number,
  send: (call: HttpClient, n: number) => Promise<TestResponse>,
) =>
  Promise.all(
    Array.from({ length: count }, (_, n) => send(clients[n % clients.length] as HttpClient, n)),
  );

const post = (call: HttpClient, path: string, body?: object) => call('POST', path, { body });

async function createFixture(
  { sql, clients }: Course,
  type: Parameters<typeof createTestTicketType>[2],
) {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, type);
  const [first, second] = await clients(scope);
  const register = async (call = first, fields: object = {}) =>
    post(call, pathOf(scope), { email: someEmail(), registrationTypeId: typeId, ...fields });
  const registerMany = async (count: number): Promise<string[]> => {
    const responses = [];
    for (let n = 0; n < count; n++) responses.push(await register());
    return responses.map(({ body }) => body.registration.id);
  };
  const move = (call: HttpClient, id: string | undefined, to: string) =>
    post(call, `${pathOf(scope)}/${id}/${to}`);
  return { scope, typeId, first, second, both: [first, second], register, registerMany, move };
}

describeRaces('concurrent registrations', {
  'each of the last seats is given once': async (course) => {
    const { both, register } = await createFixture(course, { capacity: 100 });
    await course.begin();
    const responses = await atOnce(both, 500, (call) => register(call));
    return isTally(responses, { '201 confirmed': 100, '412 SOLD_OUT': 400 });
  },

  'an email is registered once': async (course) => {
    const { both, register } = await createFixture(course, { capacity: 50 });
    const email = someEmail();
    await course.begin();
    const responses = await atOnce(both, 100, (call) => register(call, { email }));
    const ids = new Set(responses.map(({ body }) => body.registration?.id));
    return {
      ...isTally(responses, { '201 confirmed': 1, '200 confirmed': 99 }),
      ...unless(ids.size === 1, 'ids', [...ids]),
    };
  },

  'a code is used at most as often as its limit': async (course) => {
    const { scope, typeId, both, register } = await createFixture(course, { capacity: null });
    const { code } = await createTestCode(course.sql, scope, typeId, { maxUses: 5 });
    await course.begin();
    const responses = await atOnce(both, 100, (call) => register(call, { redemptionCode: code }));
    return isTally(responses, { '201 confirmed': 5, '412 CODE_INVALID': 95 });
  },

  'registrations of a full type are waitlisted in one order': async (course) => {
    const { both, register } = await createFixture(course, { capacity: 10, allowWaitlist: true });
    await course.begin();
    const responses = await atOnce(both, 60, (call) => register(call));
    return isTally(responses, { '201 confirmed': 10, '201 waitlisted': 50 });
  },

  'two approvals compete for one seat: one gets it': async (course) => {
    const { first, second, registerMany, move } = await createFixture(course, {
      capacity: 1,
      requiresApproval: true,
    });
    const [a, b] = await registerMany(2);
    await course.begin();
    const responses = await Promise.all([move(first, a, 'approve'), move(second, b, 'approve')]);
    return isTally(responses, { '200 confirmed': 1, '412 SOLD_OUT': 1 });
  },

  'a pending registration is decided once: approved twice': async (course) => {
    const { first, second, registerMany, move } = await createFixture(course, {
      requiresApproval: true,
    });
    const [a] = await registerMany(1);
    await course.begin();
    const responses = await Promise.all([move(first, a, 'approve'), move(second, a, 'approve')]);
    return isTally(responses, { '200 confirmed': 1, '412 NOT_PENDING': 1 });
  },

  'a pending registration is decided once: approved and rejected': async (course) => {
    const { first, second, registerMany, move } = await createFixture(course, {
      requiresApproval: true,
    });
    const [a] = await registerMany(1);
    await course.begin();
    const responses = await Promise.all([move(first, a, 'approve'), move(second, a, 'reject')]);
    const rejected = responses.filter(({ status }) => status === 412).length;
    return unless(rejected === 1, 'responses', tally(responses));
  },

  'a released seat goes to the oldest registration that is still waitlisted': async (course) => {
    const { sql } = course;
    const { typeId, first, second, registerMany, move } = await createFixture(course, {
      capacity: 2,
      allowWaitlist: true,
    });
    const [seat, , oldest, next, last] = await registerMany(5);
    await course.begin();
    const responses = await Promise.all([
      move(first, seat, 'cancel'),
      move(second, oldest, 'cancel'),
    ]);
    const rows = await sql<{ id: string }>(
      `select id from registration.registration where ticket_type_id = $1 and status = 'waitlisted'`,
      [typeId],
    );
    const waiting = rows.map(({ id }) => id);
    return {
      ...isTally(responses, { '200 cancelled': 2 }),
      ...unless(waiting.length === 1 && waiting[0] === last, 'waiting', { waiting, next, last }),
    };
  },

  'a larger capacity goes to the waitlist, and new registrations join behind it': async (
    course,
  ) => {
    const { sql } = course;
    const { scope, typeId, both, first, registerMany, move, register } = await createFixture(
      course,
      {
        capacity: 5,
        allowWaitlist: true,
      },
    );
    const ids = await registerMany(15);
    await course.begin();
    const responses = await Promise.all([
      changeType(sql, typeId, { capacity: 8 }),
      ...ids.slice(0, 3).map((id, n) => move(both[n % 2] as HttpClient, id, 'cancel')),
      ...both.flatMap((call) => [register(call), register(call), register(call)]),
    ]);
    const { body } = await first(
      'GET',
      `/v1/events/${scope.eventId}/ticket-types/${typeId}/availability`,
    );
    const newcomers = responses.slice(4) as TestResponse[];
    const seats = { capacity: 8, confirmed: 8, waitlisted: 10, held: 0, remaining: 0 };
    return {
      ...isTally(newcomers, { '201 waitlisted': 6 }),
      ...unless(JSON.stringify(body) === JSON.stringify(seats), 'availability', body),
    };
  },
});
