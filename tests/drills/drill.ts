import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '@event-api/platform/testing/random';
import { currentSource, type ProcessSource } from '@event-api/tools/platform/process-source';
import { readBaseline } from '@event-api/tools/release/baseline';
import { checkOutRelease, hasRevision } from '@event-api/tools/release/previous-release';
import { check, type Finding, finding } from './check.ts';
import { type DrillEnvironment, startEnvironment } from './environment/environment.ts';
import { disableGuards, synchronousStandbys } from './environment/guards.ts';
import { createSales } from './environment/sales.ts';
import { watchSeats } from './environment/seats.ts';
import type { NatsServers } from './environment/upgradable-servers.ts';
import type { Fault } from './faults/fault.ts';
import { type InjectedFault, injectFaults } from './faults/inject.ts';
import { watchMachine } from './faults/machine.ts';
import { standbysLost } from './faults/partitions.ts';
import { allFaults, once, scheduleFaults } from './faults/schedule.ts';
import { followFeeds } from './feed/follow.ts';
import { createHistory, type History } from './history/history.ts';
import type { Loss } from './history/loss.ts';
import { raiseCapacities } from './workload/offer.ts';
import { runClients } from './workload/run.ts';

export interface DrillOptions {
  seed: number;
  /** Duration of load and faults. Startup and checks take additional time. */
  seconds: number;
  clients?: number;
  /** Guards to disable before the drill. */
  without?: readonly string[];
  /** The faults to inject. Default: all. */
  faults?: readonly Fault[];
  /** Injects each fault once, in the given order, then ends the drill. `seconds` is ignored. */
  once?: boolean;
  /**
   * Starts the previous release with two replicas of each process, which `release` faults replace.
   */
  fromPreviousRelease?: boolean;
  /** Takes backups and archives the log, at least this often; by default as a deployment does. */
  withBackups?: { intervalSeconds?: number };
  /** Each process has a PostgreSQL server of its own. By default as `DATABASES` says. */
  serverPerProcess?: boolean;
  /**
   * Starts the servers of an older release, which `upgrade` faults replace: with one server of NATS
   * and one replica of each process, or with three and two.
   */
  olderNats?: NatsServers;
  /** Mean time without a fault between two faults. */
  calmMs?: number;
  /** Time limit for unfinished work after the last fault. */
  settleMs?: number;
  say: (line: string) => void;
  /**
   * Continues beyond `seconds` until this many faults have been injected: on a busy machine each
   * takes longer.
   */
  minFaults?: number;
  /** Continues until this many requests have a definite response. */
  minRequests?: number;
  /** Runs on hosts of its own, between which the network fails. */
  onHosts?: boolean;
  /** Ends the drill early: the current fault is ended, and the checks run. */
  signal?: AbortSignal;
}

/** The result of a drill. */
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
    /** Changes that the copies of the feed have followed, and how often they began again. */
    changes: number;
    feedResets: number;
  };
  injectedFaults: InjectedFault[];
  /** The operator commands of recoveries, in their order, each once in a row. */
  commands: string[];
  /** Times in which the drill itself did not run, in milliseconds since its begin. */
  machineStalls: { beganAt: number; ms: number }[];
  /** The first alarm and error lines of the process logs. */
  alarms: string[];
}

const PROGRESS_INTERVAL_MS = 5000;

/**
 * Starts a platform, runs clients against it while injecting faults, and checks the result against
 * the acknowledgements and the invariants.
 * Errors: the platform does not start; unknown guard.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const environment = await startEnvironment(options.say, {
    replicasFrom: await replicasFrom(options),
    olderNats: options.olderNats,
    withBackups: options.withBackups,
    serverPerProcess: options.serverPerProcess,
    onHosts: options.onHosts ? standbysOf(options) : undefined,
  });
  try {
    return await drillOn(environment, { ...options, ...controlOf(options) });
  } finally {
    await environment.close();
  }
}

/**
 * Without synchronous standbys the drill is a control that must fail: only this fault loses
 * acknowledged writes for certain.
 */
const controlOf = ({ without = [] }: DrillOptions): Partial<DrillOptions> =>
  without.includes(synchronousStandbys) ? { faults: [standbysLost], once: true } : {};

const standbysOf = ({ without = [] }: DrillOptions) =>
  without.includes(synchronousStandbys)
    ? ('with asynchronous standbys' as const)
    : ('with synchronous standbys' as const);

/** The release of which two replicas run; undefined for one replica of the current one. */
async function replicasFrom(options: DrillOptions): Promise<ProcessSource | undefined> {
  if (options.fromPreviousRelease) return previousRelease(options.say);
  return options.olderNats === 3 ? currentSource : undefined;
}

/** The previous release, or the current one in a clone that lacks its commit. */
async function previousRelease(say: DrillOptions['say']): Promise<ProcessSource> {
  const { revision } = readBaseline();
  if (hasRevision(revision)) return checkOutRelease(revision);
  say(`this clone lacks the previous release, commit ${revision}: the current one replaces itself`);
  return currentSource;
}

/** Runs a drill on a running platform, which keeps running. */
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
    minFaults = 0,
    minRequests = 0,
    say,
  } = options;
  if (environment.hosts && !environment.hosts.network.hasNetem)
    say('this kernel has no netem: links are slow and lose packets, which arrive in order');
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
  const machine = watchMachine(watching.signal);
  const feeds = followFeeds(environment, sales, history);
  const losses = new Map<Fault, Loss>();
  const context = { environment, sales, history, random: random.branch('faults'), losses };
  const batches = options.once ? once(faults) : scheduleFaults(context.random, faults);
  const injection = await injectFaults(context, { batches, calmMs, signal });
  const begunAt = performance.now();
  const reportProgress = createProgressReporter(say, begunAt, history);
  const work = runClients({ environment, sales, history, random, clients, signal });
  // An error of the clients or of the injection fails the drill, after the current fault has ended.
  for (const each of [work, injection.done]) each.catch(() => ending.abort());
  let isInjected = false;
  injection.done.then(
    () => {
      isInjected = true;
    },
    () => {},
  );
  const isOver = () => {
    if (history.totals().acknowledged < minRequests) return false;
    if (options.once) return isInjected;
    return (
      performance.now() >= begunAt + seconds * 1000 && injection.injectedFaults.length >= minFaults
    );
  };
  while (!signal.aborted && !isOver()) {
    await delay(PROGRESS_INTERVAL_MS / 5, undefined, { signal }).catch(() => {});
    reportProgress(injection.now());
  }
  ending.abort();
  say('ending the current fault and waiting for the last responses');
  await Promise.all([injection.done, work]);
  for (const sale of sales) await raiseCapacities(environment, sale);
  say('checking');
  const found = await check(environment, history, {
    injectedFaults: injection.injectedFaults,
    stalls: machine.stalls,
    settleMs,
  });
  const feed = await feeds.finish();
  watching.abort();
  await Promise.all([seats.done, machine.done]);
  const findings = [
    finding('no type, group or add-on is oversold at any time', 'I1', seats.oversold),
    ...found,
    finding('the feed has no gap and no repeat, and its changes connect', 'feed', feed.violations),
    finding('a copy that follows the feed equals the lists', 'feed', feed.differences),
  ];
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
      changes: feed.changes,
      feedResets: feed.resets,
    },
    injectedFaults: injection.injectedFaults.map((injected) => ({
      ...injected,
      ...sinceBegin(injected, begunAt),
    })),
    commands: history.commands.filter((name, n) => name !== history.commands[n - 1]),
    machineStalls: machine.stalls.map((stall) => ({
      beganAt: Math.round(stall.beganAt - begunAt),
      ms: Math.round(stall.recoveredAt - stall.beganAt),
    })),
    alarms: environment.alarms().slice(0, 20),
  };
}

/** Reports the progress and the current fault every few seconds. */
function createProgressReporter(say: DrillOptions['say'], begunAt: number, history: History) {
  let reportedAt = begunAt;
  return (now: string): void => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = performance.now();
    const { responses, acknowledged } = history.totals();
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(0).padStart(4);
    say(`${seconds} s  ${responses} responses, ${acknowledged} definite  ${now}`);
  };
}

const sinceBegin = ({ beganAt, restoredAt, recoveredAt }: InjectedFault, begunAt: number) => ({
  beganAt: Math.round(beganAt - begunAt),
  restoredAt: Math.round(restoredAt - begunAt),
  recoveredAt: Math.round(recoveredAt - begunAt),
});
