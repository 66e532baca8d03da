import { decideEntry, nextUnit, type TurnLimits } from './rules.ts';

/** Shares the requests in flight to one service among business units. */
export interface Turns {
  /**
   * Calls `start` when the request may proceed, immediately if it need not wait. `release` frees its place; calling it
   * again has no effect. Calls `refuse` instead if too many requests of the unit wait, or this one has waited too long.
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

interface Waiting extends TurnRequest {
  timer: NodeJS.Timeout;
}

export function createTurns(limits: TurnLimits, maxWaitMs: number): Turns {
  const inFlightOf = new Map<string, number>();
  // The order of the units is the order of their turns.
  const waitingOf = new Map<string, Waiting[]>();
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
      const unit = nextUnit(waitingOf.keys(), { inFlight, ofUnit }, limits);
      const request = unit === null ? undefined : removeFirst(unit);
      if (unit === null || request === undefined) return;
      clearTimeout(request.timer);
      if (request.isAbandoned()) request.refuse('abandoned');
      else proceed(unit, request);
    }
  }

  /** Removes the oldest request of a unit. The unit's next turn comes after those of the other units. */
  function removeFirst(unit: string): Waiting | undefined {
    const queue = waitingOf.get(unit);
    const first = queue?.shift();
    waitingOf.delete(unit);
    if (queue && queue.length > 0) waitingOf.set(unit, queue);
    return first;
  }

  function removeLate(unit: string, request: Waiting): void {
    const queue = waitingOf.get(unit) ?? [];
    queue.splice(queue.indexOf(request), 1);
    if (queue.length === 0) waitingOf.delete(unit);
    request.refuse('late');
  }

  function wait(unit: string, request: TurnRequest): void {
    const waiting: Waiting = {
      start: request.start,
      refuse: request.refuse,
      isAbandoned: request.isAbandoned,
      timer: setTimeout(() => removeLate(unit, waiting), maxWaitMs),
    };
    const queue = waitingOf.get(unit);
    if (queue) queue.push(waiting);
    else waitingOf.set(unit, [waiting]);
  }

  return {
    take(unit, request) {
      const waitingOfUnit = waitingOf.get(unit)?.length ?? 0;
      const load = { inFlight, ofUnit: ofUnit(unit), waitingOfUnit };
      const { outcome } = decideEntry(load, limits);
      if (outcome === 'proceed') proceed(unit, request);
      else if (outcome === 'wait') wait(unit, request);
      else request.refuse('full');
    },
    waiting: () => [...waitingOf.values()].reduce((sum, queue) => sum + queue.length, 0),
  };
}
