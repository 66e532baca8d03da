import { expect, test } from 'vitest';
import {
  type ComparedObject,
  decideDifferences,
  isOtherBusiness,
  type Origin,
  type Sides,
} from './differences.rules.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const jpy = (amount: number) => ({ amount, currency: 'JPY' });
const none: Sides = { here: null, there: null };

const object = (fields: Partial<ComparedObject>): ComparedObject => ({
  ...{ objectId: 'pi_1', orderId: null, businessUnitId: null },
  ...{ moved: none, returned: none, isOfDay: { moved: true, returned: false } },
  ...fields,
});
const both = { moved: true, returned: true };

test.each<[title: string, Partial<ComparedObject>, string[]]>([
  ['the same amount', { moved: { here: eur(5), there: eur(5) } }, []],
  [
    'a movement that the journal lacks',
    { moved: { here: null, there: eur(5) } },
    ['moved missing_here'],
  ],
  [
    'an entry that the provider lacks',
    { moved: { here: eur(5), there: null } },
    ['moved missing_there'],
  ],
  ['another amount', { moved: { here: eur(5), there: eur(6) } }, ['moved other_amount']],
  ['another currency', { moved: { here: eur(5), there: jpy(5) } }, ['moved other_currency']],
  [
    'another currency and amount',
    { moved: { here: eur(5), there: jpy(6) } },
    ['moved other_currency'],
  ],
  [
    'a return that both have',
    {
      moved: { here: eur(5), there: eur(5) },
      returned: { here: eur(5), there: eur(5) },
      isOfDay: both,
    },
    [],
  ],
  [
    'a return that the journal lacks',
    {
      moved: { here: eur(5), there: eur(5) },
      returned: { here: null, there: eur(5) },
      isOfDay: both,
    },
    ['returned missing_here'],
  ],
  [
    'a movement that failed before the journal had it',
    {
      moved: { here: null, there: eur(5) },
      returned: { here: null, there: eur(5) },
      isOfDay: both,
    },
    [],
  ],
  [
    'two changes of state that the provider has reported at once',
    {
      moved: { here: eur(10), there: eur(5) },
      returned: { here: eur(5), there: null },
      isOfDay: both,
    },
    [],
  ],
  [
    'a return days after its movement, which is not read any more',
    {
      moved: { here: eur(5), there: null },
      returned: { here: eur(5), there: eur(5) },
      isOfDay: { moved: false, returned: true },
    },
    [],
  ],
  [
    'a return days later that the journal lacks',
    {
      moved: { here: eur(5), there: null },
      returned: { here: null, there: eur(5) },
      isOfDay: { moved: false, returned: true },
    },
    ['returned missing_here'],
  ],
])('decides about %s', (_, fields, expected) => {
  const found = decideDifferences(object(fields));
  expect(found.map(({ direction, difference }) => `${direction} ${difference}`)).toEqual(expected);
});

test.each<[title: string, Origin, boolean]>([
  ['a charge of an attempt', { kind: 'charge', paymentId: 'pi_2', attemptId: 'pay_2' }, false],
  ['a charge without an attempt', { kind: 'charge', paymentId: 'pi_2', attemptId: null }, true],
  ['a known charge', { kind: 'charge', paymentId: 'pi_1', attemptId: null }, false],
  ['a refund of a known payment', { kind: 'refund', paymentId: 'pi_1', attemptId: null }, false],
  ['a dispute of another payment', { kind: 'dispute', paymentId: 'pi_2', attemptId: null }, true],
  ['a refund without a payment', { kind: 'refund', paymentId: null, attemptId: null }, true],
])('on the own account of a unit %s is other business: %j %s', (_, origin, expected) => {
  expect(isOtherBusiness(origin, new Set(['pi_1']))).toBe(expected);
});
