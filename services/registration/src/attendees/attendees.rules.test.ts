import { registrationStatuses } from '@event-api/contracts/http/registrations';
import { expect, test } from 'vitest';
import { attendeeStatus } from './attendees.rules.ts';

const bestFirst = ['confirmed', 'waitlisted', 'pending', 'rejected', 'cancelled'] as const;

test('the status of an attendee is the better of any two statuses, in either order', () => {
  expect(bestFirst.toSorted()).toEqual(registrationStatuses.toSorted());
  for (const [rank, better] of bestFirst.entries()) {
    for (const worse of bestFirst.slice(rank)) {
      expect(attendeeStatus([better, worse])).toBe(better);
      expect(attendeeStatus([worse, better])).toBe(better);
    }
  }
});
