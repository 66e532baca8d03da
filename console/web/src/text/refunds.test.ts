import { refundCauses } from '@event-api/contracts/operator/refunds';
import { expect, test } from 'vitest';
import { refundsText } from './refunds.ts';

test('every cause of a refund has words, and no other', () => {
  expect(Object.keys(refundsText.causes).toSorted()).toEqual(refundCauses.toSorted());
});
