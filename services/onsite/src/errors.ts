import {
  alreadyExists,
  invalidArgument,
  preconditionFailed,
} from '@event-api/platform/core/errors';
import type { SessionDatesDecision } from './sessions/rules.ts';

type OutsideEvent = Extract<SessionDatesDecision, { bound: Date }>;

/** 412: only who is confirmed may pass a door. */
export const notConfirmed = () => preconditionFailed('NOT_CONFIRMED');

/** 412: none of the perks that open this door. */
export const gateClosed = () => preconditionFailed('GATE_CLOSED');

/** 400: the badge is another registration's. */
export const badgeMismatch = () =>
  invalidArgument([
    { field: 'checkinCode', issue: 'does not belong to registrationId', code: 'invalid_value' },
  ]);

/** 400: a field names something that the event does not have. */
export const unknownReferences = (fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({ field, issue: 'is not in this event', code: 'not_found' })),
  );

/** 400: a session that ends before it has begun. */
export const endsTooEarly = () =>
  invalidArgument([{ field: 'endsAt', issue: 'must be after startsAt', code: 'invalid_value' }]);

/** 400: a session before the start or after the end of its event. */
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

/** 412: sessions rely on the gate of the venue; the details name up to ten of them. */
export const gateInUse = (sessionIds: readonly string[]) =>
  preconditionFailed('GATE_IN_USE', { sessionIds });

/** 409: a registration staffs one company of an event. */
export const alreadyStaffsExhibitor = () =>
  alreadyExists('The registration already staffs another exhibitor');

/** 409: a number is given once in an event. */
export const boothTaken = () => alreadyExists('The booth number is already taken');
