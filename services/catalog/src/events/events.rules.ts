import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type {
  AttendanceMode,
  CancellationRefund,
  CapacityGroup,
  EventStatus,
  UpdateEvent,
} from '@event-api/contracts/http/events';
import { dateIn } from '@event-api/rules/date-in';
import type { z } from 'zod';
import { admissionIssues, changedFields } from '../patches/patches.rules.ts';
import { decideGroups } from './capacity-groups.rules.ts';

/** The fields of an event that an update reads or changes. */
export interface EventState {
  name: string;
  status: EventStatus;
  startsAt: Date | null;
  endsAt: Date | null;
  admissionOpensAt: Date | null;
  admissionClosesAt: Date | null;
  timezone: string;
  currency: string;
  attendanceMode: AttendanceMode;
  country: string | null;
  currencyLocked: boolean;
  capacityGroups: CapacityGroup[];
}

/** What decides about the capacity groups of an update. */
export interface GroupContext {
  /** Of ticket types that are not archived. */
  usedIds: ReadonlySet<string>;
  /** An id for each entry of the update. */
  newIds: readonly string[];
}

export type EventPatch = z.output<typeof UpdateEvent>;

export type EventUpdateDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; changes: Partial<EventState>; publishes: boolean; resetsAgenda: boolean }
  | { outcome: 'archived_is_final' }
  | { outcome: 'invalid_transition'; from: EventStatus; to: EventStatus }
  | { outcome: 'invalid'; issues: FieldIssue[] }
  | { outcome: 'currency_locked' }
  | { outcome: 'group_in_use'; group: CapacityGroup }
  | { outcome: 'agenda_reset_unconfirmed' };

/** Allowed status transitions. Keeping a status is not a transition. */
export const eventTransitions: Record<EventStatus, readonly EventStatus[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: [],
};

/**
 * Decides what a patch changes. Validation comes before business rules, and fields are validated
 * together as they would be after the update.
 */
export function decideEventUpdate(
  event: EventState,
  patch: EventPatch,
  groupContext: GroupContext = { usedIds: new Set(), newIds: [] },
): EventUpdateDecision {
  const { confirmAgendaReset = false, capacityGroups, ...fields } = patch;
  const grouped = capacityGroups
    ? decideGroups(event.capacityGroups, capacityGroups, groupContext)
    : null;
  const changes: Partial<EventState> = {
    ...changedFields<EventState>(event, fields),
    ...(grouped?.outcome === 'replaced' && { capacityGroups: grouped.groups }),
  };
  const groupIssues = grouped?.outcome === 'invalid' ? grouped.issues : [];
  const isRefused = grouped?.outcome === 'invalid' || grouped?.outcome === 'in_use';
  if (Object.keys(changes).length === 0 && !isRefused) return { outcome: 'unchanged' };
  if (changes.status && !eventTransitions[event.status].includes(changes.status)) {
    return { outcome: 'invalid_transition', from: event.status, to: changes.status };
  }
  if (event.status === 'archived') return { outcome: 'archived_is_final' };
  const next = { ...event, ...changes };
  const issues = [
    ...startIssues(next),
    ...dateOrderIssues(next),
    ...admissionIssues(next),
    ...groupIssues,
  ];
  if (issues.length > 0) return { outcome: 'invalid', issues };
  if (changes.currency && event.currencyLocked) return { outcome: 'currency_locked' };
  if (grouped?.outcome === 'in_use') return { outcome: 'group_in_use', group: grouped.group };
  const resetsAgenda = movesStartDate(event, next);
  if (resetsAgenda && !confirmAgendaReset) return { outcome: 'agenda_reset_unconfirmed' };
  return { outcome: 'changed', changes, publishes: changes.status === 'published', resetsAgenda };
}

export type CancelEventDecision =
  | { outcome: 'cancelled'; changes: Pick<CancellableEvent, 'status' | 'cancellationRefund'> }
  /** It was cancelled before, with the same refunds. */
  | { outcome: 'unchanged' }
  | { outcome: 'cancelled_before'; refund: CancellationRefund }
  | { outcome: 'changed_meanwhile' };

interface CancellableEvent {
  status: EventStatus;
  cancellationRefund: CancellationRefund | null;
  version: number;
}

/**
 * Decides the cancellation of an event as its operator has previewed it. An archived event can be
 * cancelled: archiving leaves its registrations and orders. Nothing reverts a cancellation.
 */
export function decideCancelEvent(
  { cancellationRefund, version }: CancellableEvent,
  { refund, expectedVersion }: { refund: CancellationRefund; expectedVersion: number },
): CancelEventDecision {
  if (cancellationRefund === refund) return { outcome: 'unchanged' };
  if (cancellationRefund !== null)
    return { outcome: 'cancelled_before', refund: cancellationRefund };
  if (version !== expectedVersion) return { outcome: 'changed_meanwhile' };
  return { outcome: 'cancelled', changes: { status: 'archived', cancellationRefund: refund } };
}

/** Reports `endsAt` before `startsAt` if both are set. */
export function dateOrderIssues({
  startsAt,
  endsAt,
}: Pick<EventState, 'startsAt' | 'endsAt'>): FieldIssue[] {
  if (!startsAt || !endsAt || endsAt >= startsAt) return [];
  return [{ field: 'endsAt', issue: 'must not be before startsAt', code: 'invalid_value' }];
}

function startIssues({ status, startsAt }: EventState): FieldIssue[] {
  if (status !== 'published' || startsAt) return [];
  return [{ field: 'startsAt', issue: 'is required for a published event', code: 'required' }];
}

/**
 * Returns whether the start moves to another date. Each date is taken in the time zone of its own
 * state of the event. Setting a first start is not a move.
 */
function movesStartDate(before: EventState, after: EventState): boolean {
  if (!before.startsAt) return false;
  if (!after.startsAt) return true;
  return dateIn(before.timezone, before.startsAt) !== dateIn(after.timezone, after.startsAt);
}
