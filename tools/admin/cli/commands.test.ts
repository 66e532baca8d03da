import { type Command, chooseOperation, findCommands } from '@event-api/contracts/operator/command';
import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { exampleInput } from './example.ts';
import { details, fieldsOf, listing, schemas } from './help.ts';

const named = (name: string): Command => {
  const found = commands.find((command) => command.name === name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
};
const namesOf = (found: readonly Command[]) => found.map(({ name }) => name);

describe('the list of commands', () => {
  test('contains each command once', () => {
    const lines = listing(commands).trimEnd().split('\n');
    const names = lines.map((line) => line.split(' ')[0]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['perk.bind', 'projection.resync']));
  });

  test('finds commands by prefix, or one command by its full name', () => {
    expect(namesOf(findCommands(commands, 'venue'))).toEqual([
      'venue.create',
      'venue.update',
      'venue.delete',
    ]);
    expect(namesOf(findCommands(commands, 'key.create'))).toEqual(['key.create']);
    expect(findCommands(commands, 'nothing')).toEqual([]);
  });
});

describe.each(commands)('help $name', (command) => {
  test('describes every field', () => {
    expect(fieldsOf(command).filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  test('has an example that the schema accepts', () => {
    for (const operation of command.operations) {
      expect(operation.schema.body?.safeParse(exampleInput(operation)).error?.issues ?? []).toEqual(
        [],
      );
    }
    expect(details(command)).toContain(`npm run -s admin -- ${command.name}`);
  });

  test('has fewer than 25 lines', () => {
    expect(details(command).split('\n').length).toBeLessThan(25);
    expect(
      Math.max(
        ...details(command)
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThan(400);
  });
});

test('help unit.create omits the list of currencies, and its schema contains it', () => {
  expect(details(named('unit.create'))).not.toContain('AED');
  expect(schemas(named('unit.create'))).toContain('AED');
});

test.each([
  ['unit.create', true],
  ['unit.list', false],
  ['load.prepare', false],
])('help %s mentions the Idempotency-Key: %s', (name, isMentioned) => {
  expect(details(named(name)).includes('Idempotency-Key')).toBe(isMentioned);
});

test('help perk.bind lists the target types of both services', () => {
  const [field] = fieldsOf(named('perk.bind')).filter(({ name }) => name === 'targetType');
  expect(field?.meaning).toContain('one of registration_type, addon, ticket_type, redemption_code');
});

describe('chooseOperation', () => {
  test.each([
    ['perk.bind', { targetType: 'addon' }, 'catalog'],
    ['perk.bind', { targetType: 'ticket_type' }, 'catalog'],
    ['perk.bind', { targetType: 'redemption_code' }, 'registration'],
    ['projection.resync', { service: 'commerce' }, 'commerce'],
    ['restore.completed', { service: 'catalog' }, 'catalog'],
    ['unit.create', { nothing: true }, 'gateway'],
    ['unit.create', null, 'gateway'],
  ])('chooses for %s with %j the operation of %s', (name, input, owner) => {
    const choice = chooseOperation(named(name), input);
    expect(choice.outcome === 'chosen' && choice.operation.config.owner).toBe(owner);
  });

  test.each([
    ['perk.bind', { targetType: 'session' }, 'targetType', 'invalid_value'],
    ['perk.bind', {}, 'targetType', 'required'],
    ['projection.resync', { service: 'gateway' }, 'service', 'invalid_value'],
    ['projection.resync', null, 'service', 'required'],
  ])('rejects %s with %j and names the allowed values', (name, input, field, code) => {
    expect(chooseOperation(named(name), input)).toEqual({
      outcome: 'invalid',
      issue: { field, issue: expect.stringMatching(/^must be one of \w+, \w+/), code },
    });
  });
});
