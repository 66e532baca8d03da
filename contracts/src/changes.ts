import { z } from 'zod';
import { Actor } from './actor.ts';

/** The moves of each kind of object, as the second part of the types of its changes. */
const movesOf = {
  event: ['created', 'updated', 'published', 'archived', 'agenda_reset'],
  ticket_type: ['created', 'updated', 'opened', 'closed', 'archived'],
  addon: ['created', 'updated', 'opened', 'closed', 'archived'],
  bundle: ['created', 'updated', 'opened', 'closed', 'archived'],
  redemption_code: ['created', 'updated', 'disabled'],
  registration: [
    'created',
    'updated',
    'confirmed',
    'waitlisted',
    'rejected',
    'cancelled',
    'seat_offered',
    'offer_ended',
  ],
  order: [
    'created',
    'updated',
    'awaiting_payment',
    'paid',
    'cancelled',
    'expired',
    'refund_due',
    'refunded',
    'payment_changed',
    'refund_changed',
    'dispute_changed',
  ],
  checkin: ['created', 'undone', 'overruled', 'contested'],
  session: ['created', 'updated', 'deleted'],
  speaker: ['created', 'updated', 'deleted'],
  venue: ['created', 'updated', 'deleted'],
  exhibitor: ['created', 'updated', 'confirmed', 'declined'],
  webhook_endpoint: ['disabled'],
} as const;

/** The kinds of records that the change feed covers. Each has a path of its own under `/v1`. */
export type ChangeObjectType = keyof typeof movesOf;
export const changeObjectTypes = Object.keys(movesOf) as readonly ChangeObjectType[];

/** `<object>.<move>`. */
export type ChangeType = {
  [Object in ChangeObjectType]: `${Object}.${(typeof movesOf)[Object][number]}`;
}[ChangeObjectType];

export const changeTypes = changeObjectTypes.flatMap((object) =>
  movesOf[object].map((move) => `${object}.${move}`),
) as readonly ChangeType[];

/** The kind of record that a change is about. */
export const objectTypeOf = (type: ChangeType): ChangeObjectType =>
  type.slice(0, type.indexOf('.')) as ChangeObjectType;

/** The status of an object before or after a change; null for an object without a status. */
export const ChangeState = z.object({ status: z.string().nullable() });
export type ChangeState = z.infer<typeof ChangeState>;

/**
 * One change as its owner stores it: one per object and command. `previous` is null for a new
 * object, `current` for a deleted one; both are equal if only other fields have changed. It
 * contains no personal data.
 */
export const ChangeBody = z.object({
  id: z.string(),
  type: z.enum(changeTypes),
  /** Null for an object that belongs to no event. */
  eventId: z.string().nullable(),
  object: z.object({
    type: z.enum(changeObjectTypes),
    id: z.string(),
    /** Orders the changes of one object. It grows and has gaps. */
    version: z.int(),
  }),
  previous: ChangeState.nullable(),
  current: ChangeState.nullable(),
  actor: Actor,
});
export type ChangeBody = z.infer<typeof ChangeBody>;
