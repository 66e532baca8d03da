import { expect, test } from 'vitest';
import {
  accountIdOf,
  accountName,
  decideAccount,
  decideKey,
  decideRefresh,
} from './accounts.rules.ts';

test('a name tells the account of a unit from that of the platform', () => {
  expect(accountName('stripe', 'pac_1')).toBe('stripe/pac_1');
  expect(accountIdOf('stripe/pac_1')).toBe('pac_1');
  expect(accountIdOf('stripe')).toBeNull();
});

const open = { id: 'pac_1', canCharge: true };
const blocked = { id: 'pac_1', canCharge: false };

test.each([
  ['platform', null, { outcome: 'platform' }],
  ['platform', open, { outcome: 'own', accountId: 'pac_1' }],
  ['platform', blocked, { outcome: 'blocked' }],
  ['unit', null, { outcome: 'missing' }],
  ['unit', open, { outcome: 'own', accountId: 'pac_1' }],
  ['unit', blocked, { outcome: 'blocked' }],
] as const)('in mode %s with the account %o', (mode, account, decision) => {
  expect(decideAccount(mode, account)).toEqual(decision);
});

const at = (second: number) => new Date(second * 1000);

test.each([
  ['that is set up, and can be charged', {}, true, { outcome: 'connect' }],
  ['that is set up, and cannot be charged', {}, false, { outcome: 'unchanged' }],
  [
    'that is blocked',
    { connectedAt: at(1), canCharge: true },
    false,
    { outcome: 'update', canCharge: false },
  ],
  [
    'that is open again',
    { connectedAt: at(1), canCharge: false },
    true,
    { outcome: 'update', canCharge: true },
  ],
  ['as before', { connectedAt: at(1), canCharge: true }, true, { outcome: 'unchanged' }],
  ['that was asked about later', { checkedAt: at(11) }, true, { outcome: 'unchanged' }],
  ['that is disconnected', { disconnectedAt: at(1) }, true, { outcome: 'unchanged' }],
] as const)('an account %s', (_, fields, canCharge, decision) => {
  const fresh = { canCharge: false, connectedAt: null, disconnectedAt: null, checkedAt: at(1) };
  expect(decideRefresh({ ...fresh, ...fields }, canCharge, at(10))).toEqual(decision);
});

const key = { providerAccountId: 'acct_1', canCharge: true, missing: [] };

test.each([
  ['of nobody', key, null, null],
  ['of the unit', key, 'unit_1', null],
  ['of another unit', key, 'unit_2', /another business unit/],
  ['that cannot be charged', { ...key, canCharge: false }, null, /yet\.$/],
  [
    'that lacks something',
    { ...key, canCharge: false, missing: ['iban', 'vat'] },
    'unit_1',
    /needs: iban, vat\.$/,
  ],
] as const)('a key of an account %s', (_, verified, owner, message) => {
  const decision = decideKey(verified, 'unit_1', owner);
  if (message === null) expect(decision).toEqual({ outcome: 'accepted' });
  else
    expect(decision).toMatchObject({ outcome: 'refused', message: expect.stringMatching(message) });
});
