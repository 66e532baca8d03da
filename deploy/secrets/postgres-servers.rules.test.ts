import { processNames } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import {
  decideAssignments,
  describeRejection,
  type PostgresAddresses,
  postgresServers,
} from './postgres-servers.rules.ts';

const one: PostgresAddresses = { postgres: 'postgres://postgres@shared:5432/app', postgresOf: {} };
const commerce = 'postgres://postgres@commerce/app';

describe('decideAssignments', () => {
  test.each([
    [[], {}],
    [[`commerce=${commerce}`], { commerce }],
    [[`commerce=${commerce}`, 'commerce='], {}],
    [[`commerce=${commerce}?sslmode=verify-full`], { commerce: `${commerce}?sslmode=verify-full` }],
  ])('accepts %j', (words, postgresOf) => {
    expect(decideAssignments(one, words)).toEqual({ outcome: 'accepted', postgresOf });
  });

  test('assigns a server to each process, and lets all share again', () => {
    const decision = decideAssignments(one, ['each=postgres://postgres@of-{process}/{process}']);
    expect(decision).toEqual({
      outcome: 'accepted',
      postgresOf: Object.fromEntries(
        processNames.map((name) => [name, `postgres://postgres@of-${name}/${name}`]),
      ),
    });
    if (decision.outcome !== 'accepted') return;
    const each = { ...one, postgresOf: decision.postgresOf };
    expect(decideAssignments(each, ['each='])).toEqual({ outcome: 'accepted', postgresOf: {} });
  });

  test.each([
    ['commerce', { outcome: 'no_assignment', word: 'commerce' }],
    ['moon=x', { outcome: 'unknown_process', name: 'moon' }],
    ['commerce=mysql://root@db/app', { outcome: 'no_address', name: 'commerce' }],
    ['commerce=db', { outcome: 'no_address', name: 'commerce' }],
    ['commerce=postgres://db/app', { outcome: 'no_address', name: 'commerce' }],
    [
      'commerce=postgres://postgres@shared/other',
      { outcome: 'same_server', names: ['--postgres', 'commerce'] },
    ],
    [
      'each=postgres://postgres@db/{process}',
      { outcome: 'same_server', names: expect.arrayContaining(['catalog', 'commerce']) },
    ],
  ])('rejects %s', (word, rejection) => {
    const decision = decideAssignments(one, [word]);
    expect(decision).toEqual(rejection);
    if (decision.outcome !== 'accepted') expect(describeRejection(decision)).toMatch(/: \S/);
  });
});

describe('postgresServers', () => {
  test('has one server for all', () => {
    expect(postgresServers(one)).toEqual([
      { name: 'postgres', process: undefined, address: one.postgres, schemas: processNames },
    ]);
  });

  test('has no schema twice, and no shared server without one', () => {
    const two = postgresServers({ ...one, postgresOf: { commerce } });
    expect(two).toEqual([
      {
        ...{ name: 'postgres', process: undefined, address: one.postgres },
        schemas: processNames.filter((name) => name !== 'commerce'),
      },
      { name: 'postgres-commerce', process: 'commerce', address: commerce, schemas: ['commerce'] },
    ]);
    const postgresOf = Object.fromEntries(processNames.map((name) => [name, `x://${name}`]));
    const each = postgresServers({ ...one, postgresOf });
    expect(each.map(({ name }) => name)).toEqual(processNames.map((name) => `postgres-${name}`));
  });
});
