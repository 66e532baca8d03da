import { expect, test } from 'vitest';
import { accountIdOf, accountName, decideAccount, decideKey } from './accounts.rules.ts';

test('a name tells the account of a unit from that of the platform', () => {
  expect(accountName('stripe', 'pac_1')).toBe('stripe/pac_1');
  expect(accountIdOf('stripe/pac_1')).toBe('pac_1');
  expect(accountIdOf('stripe')).toBeNull();
});

test.each([
  ['platform', null, { outcome: 'platform' }],
  ['platform', 'pac_1', { outcome: 'own', accountId: 'pac_1' }],
  ['unit', null, { outcome: 'missing' }],
  ['unit', 'pac_1', { outcome: 'own', accountId: 'pac_1' }],
] as const)('in mode %s with the account %s', (mode, id, decision) => {
  expect(decideAccount(mode, id)).toEqual(decision);
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
