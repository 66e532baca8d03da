import { expect, test } from 'vitest';
import { missingOf } from './missing.rules.ts';

test.each([
  ['a server that it does not reach', { nats: { reason: 'refused' } }, ['nats']],
  ['one of two', { postgres: 'up', nats: { reason: 'closed' } }, ['nats']],
  ['a server that it has not tried', { nats: 'pending' }, []],
  ['no server', {}, []],
])('missingOf names %s', (_, dependencies, missing) => {
  expect(missingOf({ status: 'ready', dependencies })).toEqual(missing);
});

test.each([null, 'ready', { ok: true }, { dependencies: null }])(
  'missingOf reads nothing from %j',
  (body) => {
    expect(missingOf(body)).toEqual([]);
  },
);
