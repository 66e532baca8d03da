import type { CancellationRefund } from '@event-api/contracts/http/events';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import {
  invalidArgument,
  invalidTransition,
  preconditionFailed,
} from '@event-api/platform/core/errors';

/** 412: nothing can be created in an archived event. */
export const eventArchived = () => preconditionFailed('EVENT_ARCHIVED');

/** 412: the currency cannot change because the event has an order. */
export const currencyLocked = () => preconditionFailed('CURRENCY_LOCKED');

/**
 * 412: the start moves to another date and the request does not confirm that this clears the
 * agenda.
 */
export const agendaResetUnconfirmed = () => preconditionFailed('AGENDA_RESET_UNCONFIRMED');

/** 412: ticket types belong to a capacity group that an update leaves out. */
export const capacityGroupInUse = ({ id, name }: { id: string; name: string }) =>
  preconditionFailed(
    'CAPACITY_GROUP_IN_USE',
    { field: 'capacityGroups', capacityGroupId: id },
    `A ticket type belongs to the capacity group "${name}". Set its capacityGroupId to null or to another group first.`,
  );

/** 412: the event was cancelled before, and its refunds cannot be chosen again. */
export const cancelledBefore = (refund: CancellationRefund) =>
  preconditionFailed(
    'EVENT_CANCELLED',
    { refund },
    `The event was cancelled with refund \`${refund}\`, which cannot change. \`order.refund\` pays back more of an order.`,
  );

/** 412: the event has changed since the preview that the command rests on. */
export const changedSincePreview = () =>
  preconditionFailed('EVENT_CHANGED', { field: 'expectedVersion' });

/** 400: a change in an archived event. */
export const archivedIsFinal = () =>
  invalidArgument(
    [{ field: 'eventId', issue: 'is the id of an archived event', code: 'invalid_transition' }],
    'The event is archived, so nothing in it can change',
  );

/** 400: an archived ticket type, add-on or bundle cannot change. The details name the fields. */
export const recordArchived = (kind: string, fields: readonly string[]) =>
  invalidArgument(
    fields.map((field) => ({
      field,
      issue: `cannot change, because the ${kind} is archived`,
      code: 'invalid_transition',
    })),
  );

/** 400: the update of a ticket type, an add-on or a bundle is not allowed. */
export function updateRejected(
  kind: string,
  decision:
    | { outcome: 'event_archived' }
    | { outcome: 'invalid_transition'; from: SaleStatus; to: SaleStatus }
    | { outcome: 'archived'; fields: string[] },
): Error {
  switch (decision.outcome) {
    case 'event_archived':
      return archivedIsFinal();
    case 'invalid_transition':
      return invalidTransition(decision.from, decision.to);
    case 'archived':
      return recordArchived(kind, decision.fields);
  }
}
