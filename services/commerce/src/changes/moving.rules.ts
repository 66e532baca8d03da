import type { SeatTypesResult } from '@event-api/contracts/internal/reservations';
import type { OrderState } from '../orders/orders.rules.ts';
import type { OrderChangeRow } from './order-changes.queries.ts';

/** What becomes of a change when registration has decided about its ticket types. */
export type MovingDecision =
  | 'store'
  /** Another run has stored it. */
  | 'stored'
  /** Nothing has happened, and the quote ends. */
  | 'end'
  /** Another run has ended the quote. */
  | 'ended'
  /** The seats of a paid order are lost in a restore and not created again yet. */
  | 'wait';

/** Decides about a change in the state of its order now, which may be another than before the call. */
export function decideMoving(
  { status }: Pick<OrderState, 'status'>,
  { state }: Pick<OrderChangeRow, 'state'>,
  result: SeatTypesResult['outcome'],
): MovingDecision {
  if (state === 'quoted') return 'ended';
  if (state !== 'moving') return 'stored';
  // Only a paid order gets lost seats again.
  if (result === 'unknown') return status === 'paid' ? 'wait' : 'end';
  return result === 'refused' ? 'end' : 'store';
}
