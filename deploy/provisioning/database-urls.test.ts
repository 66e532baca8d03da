import { expect, test } from 'vitest';
import { databasesOf, decideDatabaseUrls, readDatabaseUrls } from './database-urls.ts';

const names = ['catalog', 'commerce', 'onsite'] as const;
const own = (value: unknown) => JSON.stringify(value);

test.each([
  [
    { shared: 'one', own: undefined },
    { catalog: 'one', commerce: 'one', onsite: 'one' },
  ],
  [
    { shared: 'one', own: '' },
    { catalog: 'one', commerce: 'one', onsite: 'one' },
  ],
  [
    { shared: 'one', own: own({ commerce: 'two' }) },
    { catalog: 'one', commerce: 'two', onsite: 'one' },
  ],
  [
    { shared: undefined, own: own({ catalog: 'a', commerce: 'b', onsite: 'c' }) },
    { catalog: 'a', commerce: 'b', onsite: 'c' },
  ],
])('decides for %j', (settings, urls) => {
  expect(decideDatabaseUrls(settings, names)).toEqual({ outcome: 'complete', urls });
});

test.each([
  [{ shared: 'one', own: 'commerce=two' }, { outcome: 'unreadable' }],
  [{ shared: 'one', own: '["two"]' }, { outcome: 'unreadable' }],
  [{ shared: 'one', own: 'null' }, { outcome: 'unreadable' }],
  [{ shared: 'one', own: own({ commerce: 5432 }) }, { outcome: 'unreadable' }],
  [
    { shared: 'one', own: own({ moon: 'x' }) },
    { outcome: 'unknown', names: ['moon'] },
  ],
  [
    { shared: '', own: own({ commerce: 'two' }) },
    { outcome: 'missing', names: ['catalog', 'onsite'] },
  ],
])('rejects %j', (settings, decision) => {
  expect(decideDatabaseUrls(settings, names)).toEqual(decision);
});

test.each([
  [{}, 'URL is missing'],
  [
    { URLS: own({ commerce: 'postgres://secret' }) },
    'URL is missing, and URLS has no catalog, onsite',
  ],
  [{ URL: 'x', URLS: 'y' }, 'URLS must be JSON'],
  [{ URL: 'x', URLS: own({ moon: 'postgres://secret' }) }, 'URLS names no process: moon'],
])('names the setting that is wrong in %j, and no address', (env, message) => {
  const read = () => readDatabaseUrls(env, { shared: 'URL', own: 'URLS' }, names);
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret');
});

test('lists each database once, with those that use it', () => {
  expect(databasesOf({ catalog: 'one', commerce: 'two', onsite: 'one' })).toEqual([
    { url: 'one', names: ['catalog', 'onsite'] },
    { url: 'two', names: ['commerce'] },
  ]);
});
