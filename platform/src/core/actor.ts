import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '@event-api/contracts/actor';

const actors = new AsyncLocalStorage<Actor>();

/** Runs `work`, and everything it starts, on behalf of `actor`. */
export const runAsActor = <Result>(actor: Actor, work: () => Result): Result =>
  actors.run(actor, work);

/** Runs `work` on behalf of a job of this process. */
export const runAsJob = <Result>(job: string, work: () => Result): Result =>
  runAsActor({ type: 'system', id: job }, work);

/**
 * The actor of the current request or job. Only effects read it, at the edge: what they write, send
 * to another service or queue carries it from there on. Outside of requests and jobs it is the
 * system.
 */
export const currentActor = (): Actor => actors.getStore() ?? { type: 'system', id: null };
