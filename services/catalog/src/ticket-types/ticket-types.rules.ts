import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { SaleStatus, UpdateTicketType } from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';
import {
  admissionIssues,
  decideSaleUpdate,
  type SaleLimits,
  type SaleUpdateDecision,
  saleLimitIssues,
} from '../patches/patches.rules.ts';

/** The fields of a ticket type that a patch can change. */
export type TicketTypeState = Required<TicketTypePatch>;

export type TicketTypeCreateDecision =
  | { outcome: 'create' }
  | { outcome: 'event_archived' }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/** What a decision needs of the event of a ticket type. */
export interface EventOfType {
  isArchived: boolean;
  groupIds: readonly string[];
}

/**
 * Decides whether a ticket type may be created. The input is validated before the state of the
 * event.
 */
export function decideTicketTypeCreate(
  limits: Limits,
  event: EventOfType,
): TicketTypeCreateDecision {
  const issues = [...limitIssues(limits), ...groupIssues(limits, event)];
  if (issues.length > 0) return { outcome: 'invalid', issues };
  return { outcome: event.isArchived ? 'event_archived' : 'create' };
}

export type TicketTypePatch = z.output<typeof UpdateTicketType>;

export type TicketTypeUpdateDecision =
  | SaleUpdateDecision<TicketTypeState>
  | { outcome: 'invalid'; issues: FieldIssue[] };

/**
 * Decides what a patch changes. Fields are validated together as they would be after the update.
 */
export function decideTicketTypeUpdate(
  ticketType: TicketTypeState,
  patch: TicketTypePatch,
  event: EventOfType,
): TicketTypeUpdateDecision {
  const decision = decideSaleUpdate(ticketType, patch, event.isArchived);
  if (decision.outcome !== 'changed') return decision;
  const { capacityGroupId = null } = decision.changes;
  const issues = [
    ...limitIssues({ ...ticketType, ...decision.changes }),
    ...groupIssues({ capacityGroupId }, event),
  ];
  return issues.length > 0 ? { outcome: 'invalid', issues } : decision;
}

type Limits = SaleLimits &
  Pick<TicketTypeState, 'admissionOpensAt' | 'admissionClosesAt' | 'capacityGroupId'>;

/** Reports a capacity group that the event does not have. */
function groupIssues(
  { capacityGroupId }: Pick<TicketTypeState, 'capacityGroupId'>,
  { groupIds }: EventOfType,
): FieldIssue[] {
  if (capacityGroupId === null || groupIds.includes(capacityGroupId)) return [];
  const issue = 'is not a capacity group of this event';
  return [{ field: 'capacityGroupId', issue, code: 'not_found' }];
}

const limitIssues = (limits: Limits): FieldIssue[] => [
  ...saleLimitIssues(limits),
  ...admissionIssues(limits),
];

/** The fields that decide whether the waitlist can be promoted. */
interface Seats {
  status: SaleStatus;
  capacity?: number | null;
  allowWaitlist: boolean;
  confirmed?: number;
  waitlisted?: number;
}

/**
 * Returns whether an update may confirm waitlisted registrations, so that registration has to
 * promote them. A new capacity adds seats, and without a price the seats that are offered are given.
 * Another capacity group adds seats to this type or to the others of the group that it leaves. A
 * retry of a capacity or a price counts, because the earlier response may have been lost.
 * `countsAreStale` means that the counts are older than what the caller has seen.
 */
export function mayPromote(
  before: Pick<TicketTypeState, 'capacity' | 'capacityGroupId'>,
  patch: TicketTypePatch,
  after: Seats,
  countsAreStale: boolean,
): boolean {
  const { status, allowWaitlist, confirmed = 0, waitlisted = 0 } = after;
  const { capacityGroupId = before.capacityGroupId } = patch;
  const movesGroup = capacityGroupId !== before.capacityGroupId;
  const addsSeats = patch.capacity !== undefined && seatsOf(after) >= seatsOf(before);
  if (!movesGroup && !addsSeats && patch.priceAmount !== 0) return false;
  if (status !== 'open' && status !== 'closed') return false;
  if (movesGroup || countsAreStale) return true;
  return (allowWaitlist || waitlisted > 0) && seatsOf(after) > confirmed;
}

const seatsOf = ({ capacity }: Pick<Seats, 'capacity'>): number =>
  capacity ?? Number.POSITIVE_INFINITY;
