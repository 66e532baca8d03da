import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PrintedBadges } from '../console/exports.ts';
import { printBadges } from '../operator/badges.ts';
import { operatorOperations } from '../operator/operations.ts';
import { apiOperations } from './operations.ts';
import { CreateRegistration, ExpectedRegistration } from './registrations.ts';

/** What changes of a registration expect of it is one schema, which is tested by itself. */
const withoutExpected = (key: string, value: unknown) => (key === 'expected' ? undefined : value);

/** The parts of requests in which something is named `registrationTypeId`, at any level. */
const parts = [
  ...[...apiOperations, ...operatorOperations, printBadges].flatMap(({ config, schema }) => [
    [`the body of ${config.operationId}`, schema.body] as const,
    [
      `the query of ${config.operationId}`,
      'querystring' in schema ? schema.querystring : undefined,
    ] as const,
  ]),
  ['the body of the badges of the console', PrintedBadges] as const,
  ['what a change expects of a registration', ExpectedRegistration] as const,
].flatMap(([title, part]) => {
  const json = part && z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' });
  return part && JSON.stringify(json, withoutExpected).includes('"registrationTypeId":')
    ? [[title, part] as const]
    : [];
});

/** What one of these parts requires beside it. */
const others = {
  email: 'ada@example.com',
  businessUnitId: 'unit_1',
  eventId: 'evt_1',
  query: 'ada',
};

const fieldsOf = (schema: z.ZodType, input: object) =>
  schema.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? [];

test('requests that name a ticket type are known', () => {
  expect(parts.map(([title]) => title)).toEqual([
    'the query of listRegistrations',
    'the body of createRegistration',
    'the body of updateRegistration',
    'the body of createRedemptionCodes',
    'the body of registration.search',
    'the body of registration.list',
    'the body of registration.count',
    'the body of badges.print',
    'the body of the badges of the console',
    'what a change expects of a registration',
  ]);
});

describe.each(parts)('%s', (_title, schema) => {
  const canonical = { ...others, registrationTypeId: 'tt_1' };

  test('takes ticketTypeId for registrationTypeId, also beside null', () => {
    const expected = schema.parse(canonical);
    expect(expected).toMatchObject({ registrationTypeId: 'tt_1' });
    expect(schema.parse({ ...others, ticketTypeId: 'tt_1' })).toEqual(expected);
    expect(schema.parse({ ...canonical, ticketTypeId: 'tt_1' })).toEqual(expected);
    expect(schema.parse({ ...others, registrationTypeId: null, ticketTypeId: 'tt_1' })).toEqual(
      expected,
    );
    expect(schema.parse({ ...canonical, ticketTypeId: null })).toEqual(expected);
  });

  test('rejects two different ones and names the field', () => {
    expect(fieldsOf(schema, { ...canonical, ticketTypeId: 'tt_2' })).toEqual(['ticketTypeId']);
  });

  test('names registrationTypeId if it is missing or invalid', () => {
    const isRequired = !schema.safeParse(others).success;
    expect(fieldsOf(schema, others)).toEqual(isRequired ? ['registrationTypeId'] : []);
    expect(fieldsOf(schema, { ...others, ticketTypeId: 5 })).toEqual(['registrationTypeId']);
  });

  test('is documented with both, of which neither is required', () => {
    const isRequired = !schema.safeParse(others).success;
    const description = `A synonym of \`registrationTypeId\`.${isRequired ? ' One of them is required.' : ''}`;
    const { $defs = {}, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const [named] = Object.values($defs).filter(({ properties }) => properties?.ticketTypeId);
    const { properties, required = [] } = named ?? json;
    expect(properties).toMatchObject({ registrationTypeId: {}, ticketTypeId: { description } });
    expect(required).not.toContain('registrationTypeId');
  });
});

test.each([
  ['a list', []],
  ['a text', 'tt_1'],
  ['nothing', null],
])('a body that is %s is no object', (_title, body) => {
  expect(fieldsOf(CreateRegistration, body as object)).toEqual(['']);
});
