import { describe, expect, test } from 'vitest';
import { actionOf, periodOf, recordFilter } from './rules.ts';

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

  test('is found by whole days of the viewer, the last one included', () => {
    expect(periodOf('2027-05-10', '2027-05-10', 'Europe/Berlin')).toEqual({
      from: '2027-05-09T22:00:00.000Z',
      to: '2027-05-10T22:00:00.000Z',
    });
    expect(periodOf(undefined, undefined, 'UTC')).toEqual({});
  });
});
