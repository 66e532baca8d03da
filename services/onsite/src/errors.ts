import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import {
  alreadyExists,
  invalidArgument,
  preconditionFailed,
} from '@event-api/platform/core/errors';
import type { AdmissionTimes } from '@event-api/rules/checkin-decision';

interface OutsideEvent {
  outcome: 'before_event' | 'after_event';
  field: 'startsAt' | 'endsAt';
  bound: Date;
}

/** 412: the registration is not confirmed; the details contain its status. */
export const notConfirmed = (registrationStatus: RegistrationStatus) =>
  preconditionFailed(
    'NOT_CONFIRMED',
    { registrationStatus },
    `The registration is ${registrationStatus}. Only a confirmed one can check in.`,
  );

/** 412: the cursor of a roster belongs to another epoch. */
export const rosterExpired = () => preconditionFailed('CURSOR_EXPIRED');

/** 412: the code is that of a former badge of the registration. */
export const badgeReplaced = () => preconditionFailed('BADGE_REPLACED', { field: 'checkinCode' });

/** 412: the event is cancelled. */
export const eventCancelled = () => preconditionFailed('EVENT_CANCELLED');

/** 412: the registration has none of the perks that open a gate; the details contain them. */
export const gateClosed = (perks: readonly { id: string; name: string | null }[]) =>
  preconditionFailed('GATE_CLOSED', { perks });

/** 412: it is not the time of admission; the details contain the times. */
export const admissionClosed = ({ admissionOpensAt, admissionClosesAt }: AdmissionTimes) =>
  preconditionFailed('ADMISSION_CLOSED', { admissionOpensAt, admissionClosesAt });

/** 412: the former badge of the registration is inside; the details say since when. */
export const formerBadgeInside = (checkedInAt: Date) =>
  preconditionFailed('FORMER_BADGE_INSIDE', { checkedInAt: checkedInAt.toISOString() });

/** 400: the badge code belongs to another registration. */
export const badgeMismatch = () =>
  invalidArgument([
    { field: 'checkinCode', issue: 'does not belong to registrationId', code: 'invalid_value' },
  ]);

/**
 * 400: entries of lists name records that the event does not have. An id in a field of its own is a
 * 404 (`referenceNotFound`).
 */
export const unknownEntries = (fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({ field, issue: 'is not in this event', code: 'not_found' })),
  );

/** 400: a session does not end after it starts. */
export const endsTooEarly = () =>
  invalidArgument([{ field: 'endsAt', issue: 'must be after startsAt', code: 'invalid_value' }]);

/** 400: a session starts before or ends after its event. */
export const outsideEvent = ({ outcome, field, bound }: OutsideEvent) =>
  invalidArgument([
    {
      field,
      issue:
        outcome === 'before_event'
          ? `must not be before the event starts, ${bound.toISOString()}`
          : `must not be after the event ends, ${bound.toISOString()}`,
      code: 'invalid_value',
    },
  ]);

/** 412: sessions rely on the gate of the venue; the details contain up to ten of their ids. */
export const gateInUse = (sessionIds: readonly string[]) =>
  preconditionFailed('GATE_IN_USE', { sessionIds });

/** 409: the registration already staffs another exhibitor of the event. */
export const alreadyStaffsExhibitor = () =>
  alreadyExists('The registration already staffs another exhibitor');

/** 409: the event already has a booth with this number. */
export const boothTaken = () =>
  alreadyExists('The booth number is already taken', {
    field: 'number',
    issue: 'is already taken',
    code: 'already_exists',
  });
