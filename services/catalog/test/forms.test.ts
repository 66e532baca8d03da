import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, catalog, operator, service, unit, useCatalog } from './context.ts';
import { createTestEvent, createTestEventInStatus, pathOf, succeeded } from './fixtures.ts';

useCatalog();

const set = (eventId: string, questions: unknown, businessUnitId = unit) =>
  operator('POST', '/operator/form.set', { body: { businessUnitId, eventId, questions } });
const get = (eventId: string, businessUnitId = unit) =>
  operator('POST', '/operator/form.get', { body: { businessUnitId, eventId } });
const getAsIntegrator = (eventId: string, by = call) => by('GET', `/v1/events/${eventId}/form`);
const snapshot = async (eventId: string) =>
  (await service('GET', `/internal/snapshots/catalog.event/${unit}/${eventId}`)).body;

const question = (fields: object = {}) => ({
  id: 'diet',
  label: 'What do you eat?',
  type: 'text',
  required: true,
  ...fields,
});
const choice = question({ id: 'size', type: 'choice', required: false, options: ['S', 'M'] });

describe('form.set', () => {
  test('replaces the questions, in their order, and publishes the event', async () => {
    const event = await createTestEvent(call);
    for (const questions of [
      [question(), choice],
      [choice, question({ type: 'boolean' })],
    ]) {
      const before = await snapshot(event.id);
      expect((await set(event.id, questions)).body).toEqual({ eventId: event.id, questions });
      expect((await get(event.id)).body).toEqual({ eventId: event.id, questions });
      const withOptions = questions.map((each) => ({ options: null, ...each }));
      expect((await getAsIntegrator(event.id)).body).toEqual({
        eventId: event.id,
        questions: withOptions,
      });
      const after = await snapshot(event.id);
      expect(after.data.form).toEqual(questions);
      expect(after.version).toBeGreaterThan(before.version);
    }
    const [{ payload } = { payload: '[]' }] = await catalog.sql<{ payload: string }>(
      'select payload from catalog.outbox_message order by created_at desc limit 1',
    );
    expect(JSON.parse(payload)[0].data.form).toEqual([choice, question({ type: 'boolean' })]);
  });

  test('writes nothing when the questions are the same', async () => {
    const event = await createTestEvent(call);
    succeeded(await set(event.id, [choice]));
    const before = await snapshot(event.id);
    succeeded(await set(event.id, [choice]));
    expect((await snapshot(event.id)).version).toBe(before.version);
  });

  test('clears the form with an empty list', async () => {
    const event = await createTestEvent(call);
    expect((await get(event.id)).body.questions).toEqual([]);
    expect((await getAsIntegrator(event.id)).body).toEqual({ eventId: event.id, questions: [] });
    succeeded(await set(event.id, [choice]));
    succeeded(await set(event.id, []));
    expect((await get(event.id)).body.questions).toEqual([]);
    expect((await snapshot(event.id)).data.form).toBeNull();
  });

  test('accepts fifty questions', async () => {
    const event = await createTestEvent(call);
    const many = Array.from({ length: 50 }, (_, index) => question({ id: `q${index}` }));
    succeeded(await set(event.id, many));
    expect((await get(event.id)).body.questions).toEqual(many);
  });

  const manyQuestions = Array.from({ length: 51 }, (_, index) => question({ id: `q${index}` }));
  test.each([
    ['an id with a capital', [question({ id: 'Diet' })], 'questions[0].id'],
    ['an id of 41 characters', [question({ id: 'a'.repeat(41) })], 'questions[0].id'],
    ['a reserved id', [question({ id: '__proto__' })], 'questions[0].id'],
    ['an empty id', [question({ id: '' })], 'questions[0].id'],
    ['an id twice', [question(), question()], 'questions[1].id'],
    ['a blank label', [question({ label: ' ' })], 'questions[0].label'],
    ['a long label', [question({ label: 'a'.repeat(201) })], 'questions[0].label'],
    ['an unknown type', [question({ type: 'date' })], 'questions[0].type'],
    ['a missing required', [question({ required: undefined })], 'questions[0].required'],
    ['a choice without options', [question({ type: 'choice' })], 'questions[0].options'],
    [
      'a choice with no option',
      [question({ type: 'choice', options: [] })],
      'questions[0].options',
    ],
    ['an option twice', [{ ...choice, options: ['S', ' S '] }], 'questions[0].options[1]'],
    ['a blank option', [{ ...choice, options: [''] }], 'questions[0].options[0]'],
    ['options of a text', [question({ options: ['S'] })], 'questions[0].options'],
    ['51 questions', manyQuestions, 'questions'],
    ['no list', undefined, 'questions'],
  ])('returns 400 for %s and changes nothing', async (_what, questions, field) => {
    const event = await createTestEvent(call);
    const { status, body } = await set(event.id, questions);
    expect(status).toBe(400);
    expect(body.error.details.map((issue: { field: string }) => issue.field)).toEqual([field]);
    expect((await snapshot(event.id)).data.form).toBeNull();
  });

  test('returns an identical 404 for an unknown event and another business unit', async () => {
    const event = await createTestEvent(call);
    succeeded(await set(event.id, [choice]));
    const responses = [
      await set(event.id, [], newId('unit')),
      await set(newId('evt'), []),
      await get(event.id, newId('unit')),
      await get(newId('evt')),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    for (const { body } of responses) expect(body).toEqual(responses[0]?.body);
    expect((await get(event.id)).body.questions).toEqual([choice]);
  });

  test('is read by integrators of its business unit only', async () => {
    const event = await createTestEvent(call);
    const stranger = await catalog.as(newId('unit'));
    const responses = [
      await getAsIntegrator(event.id, stranger),
      await getAsIntegrator(newId('evt')),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test('changes nothing in an archived event', async () => {
    const event = await createTestEventInStatus(call, 'draft');
    succeeded(await set(event.id, [choice]));
    succeeded(await call('POST', `${pathOf(event)}/archive`));
    expect((await set(event.id, [choice])).status).toBe(200);
    expect((await set(event.id, [])).body.error.details[0].code).toBe('invalid_transition');
    expect((await get(event.id)).body.questions).toEqual([choice]);
  });
});
