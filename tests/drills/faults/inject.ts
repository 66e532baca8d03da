import { setTimeout as delay } from 'node:timers/promises';
import { findLoss, type Loss, noLoss } from '../history/loss.ts';
import type { FaultWindow } from '../history/responses.ts';
import type { DrillContext, Fault } from './fault.ts';
import { openCanary } from './recovery.ts';

/** A fault with its times and result. */
export interface InjectedFault extends FaultWindow {
  /** End of the fault and start of the recovery. */
  restoredAt: number;
  recoveryMs: number;
  /** From the first step of the recovery, which an operator or a supervisor takes, to its end. */
  rtoMs: number;
  /** Acknowledged records that are lost, and the time in which they were acknowledged. */
  loss: Loss;
  /** Why the fault could not be injected or the platform did not recover. Null on success. */
  failure: string | null;
}

export interface Injection {
  injectedFaults: InjectedFault[];
  /** The current fault, for progress output. */
  now(): string;
  /** Resolves when the platform has recovered from the last fault. */
  done: Promise<void>;
}

/**
 * Injects one batch of faults after the other, until none are left or `signal` is aborted. The
 * current fault is always ended first.
 */
export async function injectFaults(
  context: DrillContext,
  options: { batches: Iterable<Fault[]>; calmMs: number; signal: AbortSignal },
): Promise<Injection> {
  const { batches, calmMs, signal } = options;
  const { random } = context;
  const recovered = await openCanary(context.environment);
  const injectedFaults: InjectedFault[] = [];
  let now = 'calm';
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  const run = async () => {
    for (const faults of batches) {
      await pause(calmMs * (0.5 + random.next()));
      if (signal.aborted) return;
      now = faults.map(({ name }) => name).join(' + ');
      const last = ({ lastsMs }: Fault) => pause(lastsMs * (1 + random.next() / 2));
      const injected = await injectFault(context, faults, last, () => {
        now = `recovering from ${now}`;
        return recovered();
      });
      injectedFaults.push(injected);
      now = 'calm';
    }
  };
  return { injectedFaults, now: () => now, done: run() };
}

async function injectFault(
  context: DrillContext,
  faults: readonly Fault[],
  last: (fault: Fault) => Promise<unknown>,
  recovery: () => Promise<string | null>,
): Promise<InjectedFault> {
  const failures: string[] = [];
  let endingAt = Number.POSITIVE_INFINITY;
  const attempt = async (step: 'prepare' | 'begin' | 'end', fault: Fault) => {
    try {
      await fault[step]?.(context);
    } catch (error) {
      failures.push(`${step} of ${fault.name}: ${(error as Error).message}`);
    }
  };
  await Promise.all(faults.map((fault) => attempt('prepare', fault)));
  const beganAt = performance.now();
  await Promise.all(
    faults.map(async (fault) => {
      await attempt('begin', fault);
      await last(fault);
      endingAt = Math.min(endingAt, performance.now());
      await attempt('end', fault);
    }),
  );
  const restoredAt = performance.now();
  const late = await recovery();
  if (late) failures.push(late);
  const recoveredAt = performance.now();
  const loss = await lossOf(context, faults, beganAt, failures);
  return {
    fault: faults.map(({ name }) => name).join(' + '),
    affects: [...new Set(faults.flatMap(({ affects }) => affects))],
    isGraceful: faults.every(({ isGraceful }) => isGraceful),
    beganAt,
    restoredAt,
    recoveredAt,
    recoveryMs: recoveredAt - restoredAt,
    rtoMs: recoveredAt - endingAt,
    loss,
    failure: failures.join('; ') || null,
  };
}

/** What a restore has lost, or what is missing although nothing was restored. */
async function lossOf(
  { environment, history, losses }: DrillContext,
  faults: readonly Fault[],
  beganAt: number,
  failures: string[],
): Promise<Loss> {
  const known = faults.flatMap((fault) => losses.get(fault) ?? []);
  if (known[0]) return known[0];
  try {
    return await findLoss(environment.sql, history, beganAt);
  } catch (error) {
    failures.push(`comparing the acknowledgements: ${(error as Error).message}`);
    return noLoss;
  }
}
