import {
  type promoteWaitlist as operation,
  SeatLedgerRecord,
} from '@event-api/contracts/internal/waitlist';
import type { Db } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { seatSource } from '../seats/seats.queries.ts';
import { expireAndPromoteIfDue } from './expire-and-promote.ts';
import type { Admission } from './queue.ts';

type Input = z.output<typeof operation.schema.body>;
type Result = z.input<(typeof operation.schema.response)[200]>;

export interface PromoteDeps {
  db: Db;
  admission: Admission;
  refresher: ProjectionRefresher;
}

/**
 * Stores a ticket type that its owner has changed, promotes from the waitlist and returns the
 * seats.
 *
 * The projection takes the record from the request, so promotion does not wait for a message. An
 * older version changes nothing. When `timeoutMs` ends first, the result contains the seats
 * committed so far; the expire-and-promote job promotes the rest. Emits: the seats.
 */
export async function promoteWaitlist(
  deps: PromoteDeps,
  { ticketType, timeoutMs }: Input,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  const { businessUnitId, eventId, aggregateId } = ticketType;
  await deps.refresher.store(ticketType);
  await expireAndPromoteIfDue(deps, { businessUnitId, eventId }, deadline - performance.now());
  const seats = await seatSource.read(deps.db, businessUnitId, aggregateId);
  return { seatLedger: SeatLedgerRecord.parse(seats) };
}
