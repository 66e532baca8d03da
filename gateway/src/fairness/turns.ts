import { createTurnQueue } from '@event-api/platform/core/turn-queue';
import { decideEntry, nextUnit, type TurnLimits } from './fairness.rules.ts';

/** Shares the requests in flight to one service among business units. */
export interface Turns {
  /**
   * Calls `start` when the request may proceed, immediately if it need not wait. `release` frees
   * its place; calling it again has no effect. Calls `refuse` instead if too many requests of the
   * unit wait, this one has waited too long, or its client has disconnected.
   */
  take(unit: string, request: TurnRequest): void;
  /** The number of waiting requests of all units. */
  waiting(): number;
}

export interface TurnRequest {
  start(release: () => void): void;
  refuse(reason: RefusalReason): void;
  /** Whether the client has disconnected. Its turn then goes to the next request. */
  isAbandoned(): boolean;
}

/** Why a request gets no turn. Its unit causes `full`; a slow service can also cause `late`. */
export type RefusalReason = (typeof refusalReasons)[number];
export const refusalReasons = ['full', 'late', 'abandoned'] as const;

interface Waiting {
  request: TurnRequest;
  timer: NodeJS.Timeout;
}

export function createTurns(limits: TurnLimits, maxWaitMs: number): Turns {
  const inFlightOf = new Map<string, number>();
  const waiting = createTurnQueue<Waiting>();
  let inFlight = 0;
  const ofUnit = (unit: string) => inFlightOf.get(unit) ?? 0;

  function proceed(unit: string, request: TurnRequest): void {
    inFlight += 1;
    inFlightOf.set(unit, ofUnit(unit) + 1);
    let isReleased = false;
    request.start(() => {
      if (isReleased) return;
      isReleased = true;
      inFlight -= 1;
      const left = ofUnit(unit) - 1;
      if (left > 0) inFlightOf.set(unit, left);
      else inFlightOf.delete(unit);
      giveTurns();
    });
  }

  function giveTurns(): void {
    for (;;) {
      const unit = nextUnit(waiting.groups(), { inFlight, ofUnit }, limits);
      const next = unit === null ? undefined : waiting.take(unit);
      if (unit === null || next === undefined) return;
      clearTimeout(next.timer);
      if (next.request.isAbandoned()) next.request.refuse('abandoned');
      else proceed(unit, next.request);
    }
  }

  function wait(unit: string, request: TurnRequest): void {
    const timer = setTimeout(() => {
      waiting.remove(unit, late);
      request.refuse('late');
    }, maxWaitMs);
    const late: Waiting = { request, timer };
    waiting.add(unit, late);
  }

  return {
    take(unit, request) {
      const load = { inFlight, ofUnit: ofUnit(unit), waitingOfUnit: waiting.sizeOf(unit) };
      const { outcome } = decideEntry(load, limits);
      if (outcome === 'proceed') proceed(unit, request);
      else if (outcome === 'wait') wait(unit, request);
      else request.refuse('full');
    },
    waiting: waiting.size,
  };
}
