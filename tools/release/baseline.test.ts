import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operation } from '@event-api/contracts/operation';
import { publisherNames } from '@event-api/contracts/topology';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../settings/settings.ts';
import {
  compatibilityOf,
  type Exceptions,
  readBaseline,
  readExceptions,
  serializeBaseline,
} from './baseline.ts';
import { type Contract, currentContract } from './contract.ts';

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
  test('is compatible with the previous one, apart from accepted changes', () => {
    expect(compatibilityOf(readBaseline(), current, readExceptions())).toEqual({
      breaking: [],
      unusedExceptions: [],
    });
  });

  test('would be rejected if it lost an operation of the previous one', () => {
    const { breaking } = compatibilityOf(
      readBaseline(),
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
      compatibilityOf(current, without('createCheckin'), { ...noExceptions, accepted }),
    ).toEqual({
      breaking: [],
      unusedExceptions: [],
    });
  });

  test('must exist', () => {
    expect(compatibilityOf(current, current, { ...noExceptions, accepted })).toEqual({
      breaking: [],
      unusedExceptions: ['createCheckin is removed'],
    });
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
