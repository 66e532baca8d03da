import { expect, test } from 'vitest';
import { z } from 'zod';
import { operatorOperations } from '../src/operator/operations.ts';
import type { Json } from './document.ts';

/**
 * Fields with the name of an id that name no record: a question of a form has a name that its
 * author chooses, and what a caller expects is compared.
 */
const notReferences = [
  'form.set questions[].id',
  'registration.confirm expected.registrationTypeId',
  'registration.confirm expected.ticketTypeId',
];

/** The fields of a schema with the name of an id, each with the kinds of records that it names. */
function idsIn(schema: Json, path = ''): { path: string; references: unknown }[] {
  const name = path.split('.').at(-1) ?? '';
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const isId = /^id$|Id$|Ids\[\]$|^record$/.test(name);
  const references = options.map((option) => option['x-references']).find((kinds) => kinds);
  return [
    ...(isId ? [{ path, references }] : []),
    ...options.flatMap(({ properties = {}, items }) => [
      ...Object.entries(properties).flatMap(([field, child]) =>
        idsIn(child as Json, path === '' ? field : `${path}.${field}`),
      ),
      ...(items ? idsIn(items, `${path}[]`) : []),
    ]),
  ];
}

const ids = operatorOperations.flatMap(({ config, schema }) => {
  const json = z.toJSONSchema(schema.body ?? z.object({}), { io: 'input', unrepresentable: 'any' });
  return idsIn(json as Json).map(({ path, references }) => ({
    name: `${config.operationId} ${path}`,
    references,
  }));
});

test('every id that a command takes says which records it can name', () => {
  expect(ids.length).toBeGreaterThan(100);
  const silent = ids.filter(
    ({ references }) => !Array.isArray(references) || references.length === 0,
  );
  expect([...new Set(silent.map(({ name }) => name))]).toEqual(notReferences);
});

test.each([
  ['perk.bind targetId', ['ticket_type', 'addon']],
  ['perk.bind targetId', ['redemption_code']],
  ['speaker.update sessionIds[]', ['session']],
  ['key.create eventIds[]', ['event']],
  ['checkin.explain subjectId', ['session', 'venue', 'event']],
])('%s names one of %j', (name, references) => {
  expect(ids).toContainEqual({ name, references });
});
