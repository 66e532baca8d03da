import { createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { type Course, describeRaces, unless } from './race.ts';

async function createFixture({ sql, clients }: Course) {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope);
  const lastSeat = await createTestTicketType(sql, scope, { capacity: 1 });
  const [first, second] = await clients(scope);
  const path = `/v1/events/${scope.eventId}/registrations`;
  const post = (call: typeof first, registrationTypeId: string) =>
    call('POST', path, { body: { email: someEmail(), registrationTypeId } });
  const register = async () => (await post(first, typeId)).body.registration.id as string;
  const approvalId = await createTestTicketType(sql, scope, { requiresApproval: true });
  const apply = async () => (await post(first, approvalId)).body.registration.id as string;
  const decide = (call: typeof first, id: string, verb: string, body: object) =>
    call('POST', `${path}/${id}/${verb}`, { body });
  const patch = (call: typeof first, id: string, body: object) =>
    call('PATCH', `${path}/${id}`, { body });
  return { lastSeat, first, second, register, apply, post, patch, decide };
}

const outcomesOf = (responses: readonly { status: number; body: { error?: unknown } }[]) =>
  responses.map(({ status, body }) => {
    const { details } = (body.error ?? {}) as { details?: { reason: string }[] };
    return details ? `${status} ${details[0]?.reason}` : 'done';
  });

const oneIsRejected = (
  responses: Parameters<typeof outcomesOf>[0],
  rejection: string,
): Record<string, unknown> => {
  const outcomes = outcomesOf(responses).toSorted();
  const isFine = JSON.stringify(outcomes) === JSON.stringify([rejection, 'done']);
  return unless(isFine, 'responses', outcomes);
};

describeRaces('concurrent changes', {
  'of two registrations that are transferred to one email, one is': async (course) => {
    const { first, second, register, patch } = await createFixture(course);
    const [a, b] = [await register(), await register()];
    const email = someEmail();
    await course.begin();
    const responses = await Promise.all([
      patch(first, a, { email }),
      patch(second, b, { email: email.toUpperCase() }),
    ]);
    return oneIsRejected(responses, '412 ATTENDEE_REGISTERED');
  },

  'of one registration, each on what it was before, one is': async (course) => {
    const { first, second, register, patch } = await createFixture(course);
    const id = await register();
    await course.begin();
    const expected = { name: null };
    const responses = await Promise.all([
      patch(first, id, { name: 'Ada', expected }),
      patch(second, id, { name: 'Grace', expected }),
    ]);
    return oneIsRejected(responses, '412 REGISTRATION_CHANGED');
  },

  'two operators approve and reject one registration as they have seen it: one is refused': async (
    course,
  ) => {
    const { first, second, apply, decide } = await createFixture(course);
    const id = await apply();
    await course.begin();
    const expected = { status: 'pending' };
    const responses = await Promise.all([
      decide(first, id, 'approve', { expected }),
      decide(second, id, 'reject', { expected }),
    ]);
    return oneIsRejected(responses, '412 REGISTRATION_CHANGED');
  },

  'two operators cancel and rename one registration as they have seen it: one is refused': async (
    course,
  ) => {
    const { first, second, register, patch, decide } = await createFixture(course);
    const id = await register();
    await course.begin();
    const expected = { status: 'confirmed', name: null };
    const responses = await Promise.all([
      decide(first, id, 'cancel', { expected }),
      patch(second, id, { name: 'Ada', expected }),
    ]);
    // Nobody renames who is cancelled, whatever they expect.
    const isCancelled = outcomesOf(responses)[0] === 'done';
    return oneIsRejected(responses, `412 REGISTRATION_${isCancelled ? 'CLOSED' : 'CHANGED'}`);
  },

  'a change of the ticket type and a registration compete for the last seat: one gets it': async (
    course,
  ) => {
    const { lastSeat, first, second, register, post, patch } = await createFixture(course);
    const id = await register();
    await course.begin();
    const responses = await Promise.all([
      patch(first, id, { registrationTypeId: lastSeat }),
      post(second, lastSeat),
    ]);
    return oneIsRejected(responses, '412 SOLD_OUT');
  },

  'two changes to a ticket type compete for its last seat: one gets it': async (course) => {
    const { lastSeat, first, second, register, patch } = await createFixture(course);
    const [a, b] = [await register(), await register()];
    await course.begin();
    const change = { registrationTypeId: lastSeat };
    const responses = await Promise.all([patch(first, a, change), patch(second, b, change)]);
    return oneIsRejected(responses, '412 SOLD_OUT');
  },
});
