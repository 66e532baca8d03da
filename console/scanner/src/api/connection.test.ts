import { expect, test } from 'vitest';
import { type Connection, connectionAfter } from './connection.ts';

test.each<[number | null, boolean, Connection]>([
  [200, true, 'online'],
  [412, true, 'online'],
  [429, true, 'online'],
  [500, true, 'failing'],
  [503, true, 'failing'],
  [null, true, 'no_response'],
  [null, false, 'no_network'],
])('a status of %s with network %s means %s', (status, hasNetwork, expected) => {
  expect(connectionAfter(status, hasNetwork)).toBe(expected);
});
