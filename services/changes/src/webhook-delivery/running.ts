import type { Attempted } from './deliver.ts';
import type { Slots } from './slots.ts';
import type { InFlight } from './targets.rules.ts';
import type { Delivery } from './webhook-delivery.rules.ts';

/** The requests of an endpoint that run, or have ended without being processed. */
export interface Running {
  inFlight(): InFlight;
  start(delivery: Delivery, send: (signal: AbortSignal) => Promise<Attempted>): void;
  /** Removes those that have ended. */
  takeEnded(): Attempted[];
  /** Ends all requests. */
  abort(): void;
  /** Resolves when no request runs. */
  idle(): Promise<void>;
}

/** `onEnded` is called after each request. */
export function createRunning(
  { slots, businessUnitId }: { slots: Slots; businessUnitId: string },
  onEnded: () => void,
): Running {
  const requests = new Map<Delivery, Promise<void>>();
  const ended: Attempted[] = [];
  const stopping = new AbortController();
  return {
    inFlight() {
      const all = [...requests.keys()];
      return {
        size: all.length,
        objects: new Set(
          all.flatMap((each) => (each.kind === 'change' ? each.change.objectId : [])),
        ),
        hasPing: all.some(({ kind }) => kind === 'ping'),
        hasReplay: all.some(({ kind }) => kind === 'replay'),
      };
    },
    start(delivery, send) {
      const release = slots.take(businessUnitId);
      const request = send(stopping.signal)
        .then((attempted) => void ended.push(attempted))
        .finally(() => {
          release();
          onEnded();
        });
      requests.set(delivery, request);
    },
    takeEnded() {
      const taken = ended.splice(0);
      for (const { delivery } of taken) requests.delete(delivery);
      return taken;
    },
    abort: () => stopping.abort(),
    idle: async () => void (await Promise.allSettled(requests.values())),
  };
}
