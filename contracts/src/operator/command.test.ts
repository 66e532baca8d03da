import { expect, test } from 'vitest';
import { groupCommands, isRead } from './command.ts';
import { operatorOperations } from './operations.ts';

test.each([
  ['key.list', true],
  ['code.listBatches', true],
  ['order.search', true],
  ['checkin.explain', true],
  ['key.create', false],
  ['code.disableBatch', false],
])('%s only reads: %s', (name, expected) => {
  const command = groupCommands(operatorOperations).find((each) => each.name === name);
  expect(command && isRead(command)).toBe(expected);
});
