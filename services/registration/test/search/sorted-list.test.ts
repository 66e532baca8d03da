import { permissionsOfRole } from '@event-api/contracts/permissions';
import { describe, expect, test } from 'vitest';
import { orders } from '../admission/orders.ts';
import {
  call,
  currentEvent,
  eventPath,
  operator,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

useRegistration();

const { fulfil, reservationInput } = orders(currentEvent);

const list = (fields: object = {}) =>
  operator('POST', '/operator/registration.list', { body: { ...scope, ...fields } });
const counts = async (fields: object = {}) =>
  succeeded(
    await operator('POST', '/operator/registration.count', { body: { ...scope, ...fields } }),
  );

const person = (fields: object = {}) =>
  register(call, scope, { email: someEmail(), registrationTypeId: typeId, ...fields });

/** The values of one field on all pages of two rows. `between` runs after the first page. */
async function all(
  field: string,
  fields: object = {},
  between: () => Promise<unknown> = async () => {},
): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = succeeded(await list({ ...fields, limit: 2, ...(cursor && { cursor }) }));
    values.push(...page.registrations.map((row: Record<string, unknown>) => row[field]));
    if (cursor === undefined) await between();
    cursor = page.nextCursor;
  }
  return values;
}

const opposite = <T>(values: readonly T[]): T[] => values.toReversed();

describe('the sorted list of registrations', () => {
  test('is sorted by time, by name without case and accents, or by status, in both directions', async () => {
    const gated = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    for (const name of ['bob', 'Ánna', null, 'Zoe', 'anna b']) await person({ name });
    await person({ name: 'Carl', registrationTypeId: gated });
    const created = ['bob', 'Ánna', null, 'Zoe', 'anna b', 'Carl'];
    const byName = ['Ánna', 'anna b', 'bob', 'Carl', 'Zoe', null];
    const ascending = { direction: 'ascending' };
    expect(await all('name')).toEqual(opposite(created));
    expect(await all('name', ascending)).toEqual(created);
    expect(await all('name', { sort: 'name', ...ascending })).toEqual(byName);
    expect(await all('name', { sort: 'name' })).toEqual(opposite(byName));
    expect(await all('name', { sort: 'status', ...ascending })).toEqual(created);
    expect(await all('name', { sort: 'status' })).toEqual(opposite(created));
  });

  test('has each person once, and all who were there, while people register between its pages', async () => {
    for (const sort of ['registered', 'name', 'status']) {
      for (const direction of ['ascending', 'descending']) {
        const ids: string[] = [];
        for (const name of ['C', 'A', 'E', null]) ids.push((await person({ name })).id);
        const before = await all('id', { sort, direction });
        const listed = await all('id', { sort, direction }, async () => {
          for (const name of ['B', 'A', 'F', null]) await person({ name });
        });
        expect(new Set(listed).size).toBe(listed.length);
        expect(listed.filter((id) => before.includes(id))).toEqual(before);
        expect(before).toEqual(expect.arrayContaining(ids));
      }
    }
  });

  test('fits every filter in every order, and the counts are those of its rows', async () => {
    const gated = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const types = [typeId, gated];
    const answers = [{ diet: 'vegan' }, { diet: 'any' }, undefined];
    for (let place = 0; place < 12; place++) {
      const { id } = await person({
        name: `Ada ${place}`,
        registrationTypeId: types[place % 2],
        responses: answers[place % 3],
      });
      await service.sql(
        `update registration.registration set registered_at = timestamptz '2027-05-10Z' + $2 * interval '1 s' where id = $1`,
        [id, place],
      );
    }
    const rows = succeeded(await list()).registrations;
    let found = 0;
    for (const status of [undefined, 'confirmed', 'pending']) {
      for (const registrationTypeId of [undefined, ...types]) {
        for (const answer of [
          undefined,
          { question: 'diet', value: 'vegan' },
          { question: 'diet', value: null },
          { question: 'diet' },
        ]) {
          for (const registeredFrom of [undefined, '2027-05-10T00:00:04Z']) {
            for (const registeredBefore of [undefined, '2027-05-10T00:00:10Z']) {
              const filters = { registrationTypeId, registeredFrom, registeredBefore, answer };
              const expected = rows.filter((row: Record<string, unknown>) => {
                const diet = (row.responses as { diet?: string } | null)?.diet;
                return (
                  (status === undefined || row.status === status) &&
                  (registrationTypeId === undefined ||
                    row.registrationTypeId === registrationTypeId) &&
                  (answer === undefined ||
                    (answer.value === undefined
                      ? diet !== undefined
                      : (diet ?? null) === answer.value)) &&
                  (registeredFrom === undefined ||
                    String(row.registeredAt) >= '2027-05-10T00:00:04') &&
                  (registeredBefore === undefined ||
                    String(row.registeredAt) < '2027-05-10T00:00:10')
                );
              });
              found += expected.length;
              const ids = expected.map(({ id }: { id: string }) => id);
              const message = JSON.stringify({ status, ...filters });
              for (const sort of ['registered', 'name', 'status']) {
                const fields = { ...filters, status, sort, limit: 1000 };
                const listed = succeeded(await list(fields)).registrations;
                const listedIds = listed.map(({ id }: { id: string }) => id);
                expect(listedIds.toSorted(), message).toEqual(ids.toSorted());
              }
              if (status === undefined) {
                const { total } = await counts(filters);
                expect(total, message).toBe(ids.length);
              } else {
                const { statuses } = await counts(filters);
                expect(statuses[status], message).toBe(ids.length);
              }
            }
          }
        }
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  test('finds empty and blank answers as none, and truth values', async () => {
    const blank = await person({ responses: { diet: ' ', lunch: true } });
    const empty = await person({ responses: { diet: null, lunch: false } });
    const none = await person();
    const diet = (value?: unknown) => all('id', { answer: { question: 'diet', value } });
    expect(await diet(null)).toEqual([none.id, empty.id, blank.id]);
    expect(await diet()).toEqual([]);
    expect(await all('id', { answer: { question: 'lunch', value: true } })).toEqual([blank.id]);
    expect(await all('id', { answer: { question: 'lunch', value: false } })).toEqual([empty.id]);
  });

  test('knows the answers of an order for the registrations that it created', async () => {
    const input = reservationInput();
    await fulfil({ ...input, responses: { diet: 'vegan' } }, true);
    await person();
    expect(await all('email', { answer: { question: 'diet', value: 'vegan' } })).toEqual(
      input.seats.map(({ email }) => email),
    );
  });

  test('shows neither emails nor answers to an operator of doors, and filters by none', async () => {
    await person({ responses: { diet: 'vegan' } });
    const door = await service.person(scope.businessUnitId, permissionsOfRole('door'));
    const send = (command: string, fields: object) =>
      door('POST', `/operator/registration.${command}`, { body: { ...scope, ...fields } });
    const [row] = succeeded(await send('list', {})).registrations;
    expect(row).toMatchObject({ email: null, responses: null });
    for (const command of ['list', 'count']) {
      const denied = await send(command, { answer: { question: 'diet', value: 'vegan' } });
      expect(denied.status).toBe(403);
    }
  });

  test('is a 404 for an event of another business unit, and a 400 for a cursor of another order', async () => {
    for (let n = 0; n < 3; n++) await person();
    const { businessUnitId } = await createTestEvent(service.sql);
    for (const command of ['list', 'count']) {
      const body = { ...scope, businessUnitId };
      const foreign = await operator('POST', `/operator/registration.${command}`, { body });
      expect(errorSummary(foreign)).toEqual([404, 'eventId']);
    }
    const { nextCursor: cursor } = succeeded(await list({ limit: 1 }));
    expect(errorSummary(await list({ cursor, sort: 'name' }))).toEqual([400, 'cursor']);
    expect(errorSummary(await list({ sort: 'email' }))).toEqual([400, 'sort']);
    expect(succeeded(await call('GET', `${eventPath}/registrations`)).registrations).toHaveLength(
      3,
    );
  });
});
