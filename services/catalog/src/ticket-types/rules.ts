import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { SaleStatus, UpdateTicketType } from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';
import { changesOf, saleMoves } from '../updates/rules.ts';

/** What an update looks at and changes. */
export interface TicketTypeState {
  name: string;
  description: string | null;
  capacity: number | null;
  allowWaitlist: boolean;
  isPublic: boolean;
  requiresApproval: boolean;
  status: SaleStatus;
  opensAt: Date | null;
  closesAt: Date | null;
  priceAmount: number;
  sortOrder: number;
}

export type TicketTypePatch = z.output<typeof UpdateTicketType>;

export type TicketTypeUpdateDecision =
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; changes: Partial<TicketTypeState> }
  | { outcome: 'event_archived' }
  | { outcome: 'no_such_move'; from: SaleStatus; to: SaleStatus }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/** What an update does to a ticket type; fields are judged as they would be afterwards. Source: docs/rules.md. */
export function decideTicketTypeUpdate(
  ticketType: TicketTypeState,
  patch: TicketTypePatch,
  eventIsArchived: boolean,
): TicketTypeUpdateDecision {
  const changes = changesOf(ticketType, patch);
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  if (changes.status && !saleMoves[ticketType.status].includes(changes.status)) {
    return { outcome: 'no_such_move', from: ticketType.status, to: changes.status };
  }
  const issues = saleWindowIssues({ ...ticketType, ...changes });
  return issues.length > 0 ? { outcome: 'invalid', issues } : { outcome: 'changed', changes };
}

/** `closesAt` has to be after `opensAt`, where both are given. */
export function saleWindowIssues({
  opensAt,
  closesAt,
}: Pick<TicketTypeState, 'opensAt' | 'closesAt'>): FieldIssue[] {
  if (!opensAt || !closesAt || closesAt > opensAt) return [];
  return [{ field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' }];
}
