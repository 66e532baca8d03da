import { describe, expect, test } from 'vitest';
import { actionOf, recordFilter } from './rules.ts';

describe('an entry of the audit log', () => {
  test.each([
    ['order.refund', 'Refund order'],
    ['member.setRole', 'Set role of member'],
    ['refundPolicy.set', 'Set refund policy'],
    ['updateTicketType', 'Update ticket type'],
    ['createEvent', 'Create event'],
  ])('says %s in words', (operation, action) => {
    expect(actionOf(operation)).toBe(action);
  });

  test('is found by its event or its record', () => {
    expect(recordFilter(' evt_1 ')).toEqual({ eventId: 'evt_1' });
    expect(recordFilter('ord_1')).toEqual({ record: 'ord_1' });
    expect([recordFilter(' '), recordFilter(undefined)]).toEqual([{}, {}]);
  });
});
