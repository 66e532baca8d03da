import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiOperations } from '@event-api/contracts/http/operations';
import type { Operation } from '@event-api/contracts/operation';
import { composedOperations, operatorOperations } from '@event-api/contracts/operator/operations';
import {
  keyGroups,
  permissions,
  permissionsOfDevice,
  permissionsOfGroups,
  permissionsOfPairing,
  permissionsOfRole,
  roles,
} from '@event-api/contracts/permissions';
import { describe, expect, test } from 'vitest';
import { mayCall, type PermittedCaller } from '../src/may-call.ts';

/** A row of the table in the documentation, which is written independently of the contracts. */
interface Row {
  permission: string;
  operations: readonly string[];
  roles: readonly string[];
  groups: readonly string[];
}

const page = readFileSync(join(import.meta.dirname, '../../docs/operators.md'), 'utf8');

const list = (cell = ''): string[] =>
  cell === '–' ? [] : cell.replaceAll('`', '').split(', ').toSorted();

const table: Row[] = (page.split('\n## Permissions\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [permission, operations, ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return {
      permission: permission?.replaceAll('`', '') ?? '',
      operations: list(operations),
      roles: roles.filter((_, column) => cells[column] === '✔'),
      groups: list(cells[roles.length]),
    };
  }) as Row[];

const operations: readonly Operation[] = [
  ...apiOperations,
  ...operatorOperations,
  ...composedOperations,
];

const rowsOf = ({ config }: Operation): Row[] =>
  table.filter((row) => row.operations.includes(config.operationId));

const nameOf = ({ config }: Operation): string => `${config.operationId} of ${config.owner}`;

const businessUnitId = 'unit_1';

const decide = (operation: Operation, caller: Partial<PermittedCaller>) =>
  mayCall(
    { issuer: 'gateway', businessUnitId, permissions: null, events: null, doors: null, ...caller },
    operation,
    { eventId: 'evt_1' },
  ).outcome;

test('docs/operators.md has every permission, and every operation with its permissions', () => {
  expect(table.map(({ permission }) => permission).toSorted()).toEqual(permissions.toSorted());
  const declared = Object.fromEntries(
    operations.map(({ config }) => [config.operationId, [config.permission].flat().toSorted()]),
  );
  const documented = Object.fromEntries(
    operations.map((operation) => [
      operation.config.operationId,
      rowsOf(operation)
        .map(({ permission }) => permission)
        .toSorted(),
    ]),
  );
  expect(documented).toEqual(declared);
  const names = new Set(operations.map(({ config }) => config.operationId));
  expect(table.flatMap((row) => row.operations).filter((name) => !names.has(name))).toEqual([]);
});

test('docs/operators.md has the permissions of every role and key group', () => {
  const held = (has: (row: Row) => boolean) =>
    table.filter(has).map(({ permission }) => permission);
  for (const role of roles) {
    const documented = held((row) => row.roles.includes(role));
    expect([...permissionsOfRole(role)].toSorted()).toEqual(documented.toSorted());
  }
  for (const group of keyGroups) {
    const documented = held((row) => row.groups.includes(group));
    expect([...permissionsOfGroups([group])].toSorted()).toEqual(documented.toSorted());
  }
});

describe('every operation allows exactly the documented', () => {
  test.each(roles)('operations to the role %s', (role) => {
    const allowed = operations.filter(
      (operation) =>
        decide(operation, { issuer: 'console', permissions: permissionsOfRole(role) }) ===
        'allowed',
    );
    const documented = operations.filter((operation) =>
      rowsOf(operation).some((row) => row.roles.includes(role)),
    );
    expect(allowed.map(nameOf)).toEqual(documented.map(nameOf));
  });

  test.each(keyGroups)('operations to a key of the group %s', (group) => {
    const allowed = apiOperations.filter(
      (operation) => decide(operation, { permissions: permissionsOfGroups([group]) }) === 'allowed',
    );
    const documented = apiOperations.filter((operation) =>
      rowsOf(operation).some((row) => row.groups.includes(group)),
    );
    expect(allowed.map(nameOf)).toEqual(documented.map(nameOf));
  });

  test('operations to a platform administrator', () => {
    const allowed = operations.filter(
      (operation) =>
        decide(operation, { issuer: 'console', permissions: ['platform'] }) === 'allowed',
    );
    const documented = operations.filter((operation) =>
      rowsOf(operation).some((row) => row.permission === 'platform'),
    );
    expect(allowed.map(nameOf)).toEqual(documented.map(nameOf));
  });

  test('operations to a device and a pairing code', () => {
    const allowedTo = (held: readonly string[]) =>
      apiOperations.filter((operation) => decide(operation, { permissions: held }) === 'allowed');
    const documentedFor = (words: readonly string[]) =>
      apiOperations.filter((operation) =>
        rowsOf(operation).some(({ permission }) => words.includes(permission)),
      );
    expect(allowedTo(permissionsOfDevice)).toEqual(documentedFor(['doors', 'device']));
    expect(allowedTo(permissionsOfPairing)).toEqual(documentedFor(['pairing']));
  });

  test('operations to the command line, an unrestricted key, and a console without permissions', () => {
    for (const operation of operations) {
      expect(decide(operation, { issuer: 'admin' })).toBe('allowed');
      expect(decide(operation, { issuer: 'admin', permissions: ['platform'] })).toBe('allowed');
      expect(decide(operation, { issuer: 'gateway' })).toBe('allowed');
      expect(decide(operation, { issuer: 'console' })).toBe('permission_denied');
      expect(decide(operation, { issuer: 'gateway', permissions: [] })).toBe('permission_denied');
    }
  });
});
