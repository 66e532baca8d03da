import type { FormQuestion } from '@event-api/contracts/http/forms';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { describe, expect, test } from 'vitest';
import {
  call,
  currentEvent,
  eventPath,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { someEmail } from '../fixtures.ts';
import { addOwnerSnapshot, succeeded } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const { reservationInput, reserve, fulfil, read } = orders(currentEvent);

useRegistration();

const diet: FormQuestion = { id: 'diet', label: 'Diet', type: 'text', required: true };
const size: FormQuestion = {
  id: 'size',
  label: 'Size',
  type: 'choice',
  required: false,
  options: ['S', 'M'],
};

const post = (fields: object) =>
  call('POST', `${eventPath}/registrations`, {
    body: { email: someEmail(), registrationTypeId: typeId, ...fields },
  });

/** Sets the projected questions, as a message does. */
const projectForm = (questions: readonly FormQuestion[] | null) =>
  service.sql('update registration.event_projection set form = $2 where id = $1', [
    scope.eventId,
    JSON.stringify(questions),
  ]);

/** Sets the questions of the event in the stub of catalog. The projection stays unchanged. */
const stubForm = (form: readonly FormQuestion[] | null) =>
  addOwnerSnapshot(service.owner, scope, eventSnapshot.type, scope.eventId, {
    name: 'Summit',
    status: 'published',
    endsAt: null,
    currency: 'EUR',
    form,
  });

const issuesOf = ({ body }: Awaited<ReturnType<typeof post>>) =>
  body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);

const countRegistrations = async () =>
  (await service.sql('select from registration.registration where event_id = $1', [scope.eventId]))
    .length;

describe('a registration with responses', () => {
  test('stores them, and every read returns them', async () => {
    await projectForm([diet, size]);
    const responses = { diet: 'vegan "and" {raw}, \\', size: 'M', other: [1, { nested: null }] };
    const { registration } = succeeded(await post({ responses }), 201);
    expect(registration.responses).toEqual(responses);
    const path = `${eventPath}/registrations`;
    expect(succeeded(await call('GET', `${path}/${registration.id}`))).toEqual(registration);
    expect(succeeded(await call('GET', path)).registrations).toEqual([registration]);
    const cancelled = succeeded(await call('POST', `${path}/${registration.id}/cancel`));
    expect(cancelled.responses).toEqual(responses);
  });

  test('is a 400 that names each response, and creates nothing', async () => {
    await projectForm([diet, size]);
    for (const [responses, issues] of [
      [{}, ['responses.diet required']],
      [{ diet: 5, size: 'XL' }, ['responses.diet invalid_type', 'responses.size invalid_value']],
    ] as const) {
      const response = await post({ responses });
      expect([response.status, issuesOf(response)]).toEqual([400, issues]);
    }
    for (const responses of ['vegan', ['vegan'], 5]) {
      expect((await post({ responses })).status).toBe(400);
    }
    expect(await countRegistrations()).toBe(0);
  });

  test('is accepted in an event without a form', async () => {
    const { registration } = succeeded(await post({ responses: { diet: 'vegan' } }), 201);
    expect(registration.responses).toEqual({ diet: 'vegan' });
  });

  test('is checked with the form that catalog has before it is rejected', async () => {
    await projectForm([diet]);
    stubForm([size]);
    expect((await post({ responses: { size: 'S' } })).status).toBe(201);
    await projectForm([diet]);
    service.owner.isUnavailable = true;
    expect((await post({ responses: { size: 'S' } })).status).toBe(503);
    expect((await post({ responses: { diet: 'vegan' } })).status).toBe(201);
  });
});

describe('a change of the responses', () => {
  test('is a 400 that names each response, and changes nothing', async () => {
    const { registration } = succeeded(await post({ responses: { diet: 'vegan' } }), 201);
    await projectForm([diet, size]);
    stubForm([diet, size]);
    const path = `${eventPath}/registrations/${registration.id}`;
    const response = await call('PATCH', path, { body: { responses: { size: 'XL' } } });
    expect([response.status, issuesOf(response)]).toEqual([
      400,
      ['responses.diet required', 'responses.size invalid_value'],
    ]);
    expect(succeeded(await call('GET', path))).toEqual(registration);
    const body = { responses: { diet: 'none', size: 'M' } };
    expect(succeeded(await call('PATCH', path, { body })).responses).toEqual(body.responses);
  });
});

describe('a registration without responses', () => {
  test.each([
    ['omitted', {}],
    ['null', { responses: null }],
  ])('is accepted, also with required questions: %s', async (_what, fields) => {
    await projectForm([diet]);
    const { registration } = succeeded(await post(fields), 201);
    expect(registration.responses).toBeNull();
  });

  test('that an order created has null, because the order has the responses', async () => {
    const body = reservationInput();
    await reserve(body);
    const { seats } = await fulfil(body);
    expect((await read(seats[0].registrationId)).responses).toBeNull();
  });
});
