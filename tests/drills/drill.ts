import { setTimeout as delay } from 'node:timers/promises';
import { check, type Finding, finding } from './check.ts';
import { type DrillEnvironment, startEnvironment } from './environment/environment.ts';
import { disableGuards } from './environment/guards.ts';
import { createSales } from './environment/sales.ts';
import { watchSeats } from './environment/seats.ts';
import type { Fault } from './faults/fault.ts';
import { type InjectedFault, injectFaults } from './faults/inject.ts';
import { allFaults, once, scheduleFaults } from './faults/schedule.ts';
import { createHistory, type History } from './history/history.ts';
import { createRandom } from './history/random.ts';
import { runClients } from './workload/run.ts';

export interface DrillOptions {
  seed: number;
  /** How long clients work and faults come; starting and checking come on top. */
  seconds: number;
  clients?: number;
  /** Guards to take away before it begins. */
  without?: readonly string[];
  /** Only these, instead of all there are. */
  faults?: readonly Fault[];
  /** Each fault comes once, in its order, and that is all of the drill, however long it takes. */
  once?: boolean;
  /** How long nothing is broken between two faults, more or less. */
  calmMs?: number;
  /** How long everything may take to come to its end, once nothing is broken any more. */
  settleMs?: number;
  say: (line: string) => void;
  /** The drill goes on beyond `seconds` until this many faults have come: a busy machine takes longer for each. */
  leastStrikes?: number;
  /** Ends the drill early: what is broken is put back, and what has happened is checked. */
  signal?: AbortSignal;
}

/** What a drill has seen. */
export interface DrillReport {
  seed: number;
  seconds: number;
  without: readonly string[];
  isBroken: boolean;
  findings: Finding[];
  responses: History['responses'];
  totals: {
    responses: number;
    acknowledged: number;
    unknown: number;
    acknowledgements: number;
    sampleCount: number;
  };
  injectedFaults: InjectedFault[];
  /** The first lines of errors that the processes have written. */
  alarms: string[];
}

const PROGRESS_INTERVAL_MS = 5000;

/**
 * Starts a platform, lets clients loose on it and breaks it again and again, puts everything back, and holds what is
 * there against what was acknowledged and promised. Errors: a platform that does not start; a guard that there is not.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const environment = await startEnvironment(options.say);
  try {
    return await drillOn(environment, options);
  } finally {
    await environment.close();
  }
}

/** The same on a platform that is there already, and stays. */
export async function drillOn(
  environment: DrillEnvironment,
  options: DrillOptions,
): Promise<DrillReport> {
  const {
    seed,
    seconds,
    clients = 8,
    without = [],
    faults = allFaults,
    calmMs = 1500,
    settleMs,
    leastStrikes = 0,
    say,
  } = options;
  say(
    `seed ${seed}, ${seconds} s, ${clients} clients${without.map((guard) => `, without ${guard}`).join('')}`,
  );
  const random = createRandom(seed);
  const history = createHistory();
  const sales = await createSales(environment);
  await disableGuards(environment, without);
  const ending = new AbortController();
  const watching = new AbortController();
  const signals = [ending.signal, ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  const seats = watchSeats(environment, watching.signal);
  const context = { environment, sales, history, random: random.branch('faults') };
  const hands = options.once ? once(faults) : scheduleFaults(context.random, faults);
  const injection = await injectFaults(context, { hands, calmMs, signal });
  const begunAt = performance.now();
  const reportProgress = createProgressReporter(say, begunAt, history);
  const work = runClients({ environment, sales, history, random, clients, signal });
  // What fails here fails the drill, once everything has been put back.
  for (const each of [work, injection.done]) each.catch(() => ending.abort());
  if (options.once) void injection.done.then(() => ending.abort());
  const isOver = () =>
    performance.now() >= begunAt + seconds * 1000 &&
    injection.injectedFaults.length >= leastStrikes;
  while (!signal.aborted && (options.once || !isOver())) {
    await delay(PROGRESS_INTERVAL_MS / 5, undefined, { signal }).catch(() => {});
    reportProgress(injection.now());
  }
  ending.abort();
  say('putting back what is broken, and waiting for the last answers');
  await Promise.all([injection.done, work]);
  say('checking');
  const found = await check(environment, history, injection.injectedFaults, settleMs);
  watching.abort();
  await seats.done;
  const findings = [finding('no seat was sold twice at any time', 'I1', seats.oversold), ...found];
  return {
    seed,
    seconds,
    without,
    isBroken: findings.some(({ isBroken }) => isBroken),
    findings,
    responses: history.responses,
    totals: {
      ...history.totals(),
      unknown: history.unknown.length,
      acknowledgements: history.acknowledgements.length,
      sampleCount: seats.sampleCount(),
    },
    injectedFaults: injection.injectedFaults.map((injected) => ({
      ...injected,
      ...sinceBegin(injected, begunAt),
    })),
    alarms: environment.alarms().slice(0, 20),
  };
}

/** Says every few seconds how far the drill is, and what is broken now. */
function createProgressReporter(say: DrillOptions['say'], begunAt: number, history: History) {
  let reportedAt = begunAt;
  return (now: string): void => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = performance.now();
    const { responses, acknowledged } = history.totals();
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(0).padStart(4);
    say(`${seconds} s  ${responses} answers, ${acknowledged} acknowledged  ${now}`);
  };
}

const sinceBegin = ({ beganAt, restoredAt, recoveredAt }: InjectedFault, begunAt: number) => ({
  beganAt: Math.round(beganAt - begunAt),
  restoredAt: Math.round(restoredAt - begunAt),
  recoveredAt: Math.round(recoveredAt - begunAt),
});
