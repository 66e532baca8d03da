import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operation } from '@event-api/contracts/operation';
import { publisherNames, topology } from '@event-api/contracts/topology';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../settings/settings.ts';
import {
  compatibilityOf,
  type Exceptions,
  readBaseline,
  readExceptions,
  readOwnReleases,
  serializeBaseline,
  serializeOwnReleases,
} from './baseline.ts';
import { type Contract, contractOf, currentContract } from './contract.ts';

let current: Contract;
beforeAll(() => {
  current = currentContract();
});

const noExceptions: Exceptions = { tolerantReaders: [], accepted: [] };

/** The current contract without one operation. */
function without(name: string): Contract {
  const { [name]: _, ...operations } = current.operations;
  return { ...current, operations };
}

describe('the current release', () => {
  test('is compatible with what is released, apart from accepted changes', () => {
    const released = [readBaseline(), ...Object.values(readOwnReleases())];
    expect(compatibilityOf(released, current, readExceptions())).toEqual({
      breaking: [],
      unusedExceptions: [],
    });
  });

  test('would be rejected if it lost an operation of the previous one', () => {
    const { breaking } = compatibilityOf(
      [readBaseline()],
      without('createCheckin'),
      readExceptions(),
    );
    expect(breaking).toEqual(['createCheckin is removed']);
  });
});

describe('an accepted change', () => {
  const accepted = [{ change: 'createCheckin is removed', reason: 'a test' }];

  test('breaks nothing', () => {
    expect(
      compatibilityOf([current], without('createCheckin'), { ...noExceptions, accepted }),
    ).toEqual({
      breaking: [],
      unusedExceptions: [],
    });
  });

  test('must exist', () => {
    expect(compatibilityOf([current], current, { ...noExceptions, accepted })).toEqual({
      breaking: [],
      unusedExceptions: ['createCheckin is removed'],
    });
  });
});

describe('the release of one process alone', () => {
  /** The current contract, in which check-ins have a field that the previous release lacks. */
  const withAddition = (): Contract => {
    const { createCheckin } = current.operations;
    if (createCheckin === undefined) throw new Error('there is no operation createCheckin');
    const response = { ...createCheckin.response, lane: { types: ['string'] } };
    return {
      ...current,
      operations: { ...current.operations, createCheckin: { ...createCheckin, response } },
    };
  };

  test('ends in a check that the next one keeps what it added', () => {
    const own = contractOf('onsite', withAddition());
    expect(compatibilityOf([current], current, noExceptions).breaking).toEqual([]);
    expect(compatibilityOf([current, own], current, noExceptions).breaking).toEqual([
      'lane of createCheckin is removed',
    ]);
    expect(compatibilityOf([current, own], withAddition(), noExceptions).breaking).toEqual([]);
  });

  test('reports a change once that breaks both', () => {
    const own = contractOf('onsite', current);
    expect(
      compatibilityOf([current, own], without('createCheckin'), noExceptions).breaking,
    ).toEqual(['createCheckin is removed']);
  });

  test('records nothing of the others, and all of them together have everything', () => {
    const parts = topology.map(({ name }) => contractOf(name, current));
    const keys = (section: 'operations' | 'snapshots' | 'settings') =>
      [...new Set(parts.flatMap((part) => Object.keys(part[section])))].toSorted();
    expect(keys('operations')).toEqual(Object.keys(current.operations).toSorted());
    expect(keys('settings')).toEqual(Object.keys(current.settings).toSorted());
    expect([...keys('snapshots'), '(every snapshot)'].toSorted()).toEqual(
      Object.keys(current.snapshots).toSorted(),
    );
    expect(Object.keys(current.operations)).toContain('cancelOrder');
    const { operations, snapshots } = contractOf('onsite', current);
    expect(Object.keys(operations)).toContain('createCheckin');
    expect(Object.keys(operations)).not.toContain('cancelOrder');
    expect(snapshots).toEqual({});
  });
});

describe('currentContract', () => {
  test('contains every operation between services and every snapshot of the contracts', async () => {
    const files = globSync('contracts/src/{internal,messages}/*.ts', { cwd: root });
    const modules = await Promise.all(
      files.map((file) => import(pathToFileURL(join(root, file)).href)),
    );
    const exported = modules.flatMap((each) => Object.values(each));
    const made = exported
      .filter((each) => typeof each === 'function' && each.length === 1)
      .flatMap((each) => publisherNames.map((name) => (each as (name: string) => unknown)(name)));
    const operations = [...exported, ...made].flatMap((each) => {
      const { config } = (each ?? {}) as Partial<Operation>;
      return config ? [config.operationId] : [];
    });
    expect(operations.length).toBeGreaterThan(10);
    expect(Object.keys(current.operations)).toEqual(expect.arrayContaining(operations));
    const types = exported.flatMap((each) => {
      const { type, origin } = (each ?? {}) as { type?: string; origin?: string };
      return origin && type ? [type] : [];
    });
    expect(types.length).toBeGreaterThan(5);
    expect(Object.keys(current.snapshots)).toEqual(expect.arrayContaining(types));
  });

  test('contains the settings without a default of each process', () => {
    expect(current.settings.gateway).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL']));
    expect(current.settings.onsite).toContain('NATS_URL');
    expect(current.settings.onsite).not.toContain('LOG_LEVEL');
  });
});

test('serializeBaseline writes one line per entry, as JSON', () => {
  const text = serializeBaseline({ revision: 'abc', ...current });
  expect(JSON.parse(text)).toEqual({ revision: 'abc', ...current });
  const entries = [current.operations, current.snapshots, current.settings].flatMap(Object.keys);
  expect(text.split('\n').filter((line) => line.startsWith('    "'))).toHaveLength(entries.length);
});

test.each([
  ['none', [] as const],
  ['one', ['onsite'] as const],
  ['two', ['onsite', 'catalog'] as const],
])('serializeOwnReleases writes %s, as JSON', (_name, processes) => {
  const releases = Object.fromEntries(
    processes.map((name) => [name, { revision: 'abc', ...contractOf(name, current) }]),
  );
  const text = serializeOwnReleases(releases);
  expect(JSON.parse(text)).toEqual(releases);
  expect(text.split('\n').length).toBeLessThan(200 * (processes.length + 1));
});
