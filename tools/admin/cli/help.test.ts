import { groupCommands } from '@event-api/contracts/operator/command';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { expect, test } from 'vitest';
import { details, schemas } from './help.ts';

const commands = groupCommands(operatorOperations);

function find(name: string) {
  const found = commands.find((command) => command.name === name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
}

test('describes what commerce.reconcile counts as repeated', () => {
  const { output } = JSON.parse(schemas(find('commerce.reconcile')));
  expect(output.properties.repeated.description).toBe(
    'Number of orders, payments and refunds for which a step was retried.',
  );
});

test('says how to retry a command that changes something', () => {
  const retry = 'To retry it, send the same key with --key <key>.';
  expect(details(find('unit.create'))).toContain(retry);
  expect(details(find('unit.list'))).not.toContain(retry);
});

test.each(commands.map((command) => [command.name, command] as const))(
  'describes %s in plain English',
  (_, command) => {
    expect(details(command)).not.toMatch(/\b(anew|whoever|nobody|somebody|any more|told)\b/i);
  },
);
