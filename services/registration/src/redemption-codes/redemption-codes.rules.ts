import type { EventStatus } from '@event-api/contracts/http/events';
import { normalCode } from '@event-api/contracts/http/fields';
import { ownCode } from '@event-api/contracts/http/redemption-codes';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import { type CodeState, isUsable } from '../seats/seats.rules.ts';

/** The form in which a code is stored for comparison. */
export const codeKey = normalCode;

/**
 * The key of a lookup's input. Input that cannot be a code gets the empty key, which no code has.
 */
export const lookupKey = (input: string | undefined): string =>
  input !== undefined && ownCode.test(input.trim()) ? codeKey(input) : '';

/** How many codes a request creates: one custom code, otherwise `count` random ones. */
export const codesToCreate = ({ code, count }: { code?: string | undefined; count: number }) =>
  code === undefined ? count : 1;

/** Whether a new code can have this expiry. */
export const isValidExpiry = (expiresAt: Date, now: Date): boolean => expiresAt > now;

export type CodeTarget = 'type_unknown' | 'event_archived' | 'type_archived' | 'valid';

/** Whether a code can be created for a ticket type. Both statuses come from projections. */
export function decideCodeTarget(
  sale: { eventStatus: EventStatus; typeStatus: SaleStatus } | null,
): CodeTarget {
  if (!sale) return 'type_unknown';
  if (sale.eventStatus === 'archived') return 'event_archived';
  return sale.typeStatus === 'archived' ? 'type_archived' : 'valid';
}

/** The fields of a code, its ticket type and its event that a lookup is decided on. */
interface LookupState extends Pick<CodeState, 'status' | 'expiresAt' | 'maxUses' | 'uses'> {
  ticketTypeId: string;
  now: Date;
  /** The active registration of the person who asks, if it uses the code. */
  ownRegistrationId: string | null;
  eventStatus: EventStatus;
  type: { status: SaleStatus } | null;
}

export type LookupDecision<Row extends LookupState> =
  | { outcome: 'found'; row: Row & { type: NonNullable<Row['type']> } }
  /** The code itself cannot be used. */
  | { outcome: 'invalid' }
  /** The projections have no ticket type, or an archived type or event. */
  | { outcome: 'not_offered'; ticketTypeId: string };

/**
 * Decides whether a lookup finds a code: only one that can be used once more, or that the person
 * who asks uses already, and whose type is offered. A use that a registration has stays valid when
 * the code expires, is used up or disabled.
 */
export function decideLookup<Row extends LookupState>(row: Row | null): LookupDecision<Row> {
  if (!row) return { outcome: 'invalid' };
  if (row.ownRegistrationId === null && !isUsable(row, row.now, 1)) return { outcome: 'invalid' };
  const { type, ticketTypeId } = row;
  if (!type || type.status === 'archived' || row.eventStatus === 'archived') {
    return { outcome: 'not_offered', ticketTypeId };
  }
  return { outcome: 'found', row: { ...row, type } };
}
