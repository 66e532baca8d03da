import { setTimeout as delay } from 'node:timers/promises';
import { check, type Finding, finding } from './check.ts';
import { allFaults, deal, once } from './faults/deck.ts';
import type { Fault } from './faults/fault.ts';
import { injectFaults, type Strike } from './faults/inject.ts';
import { takeAway } from './guards.ts';
import { createJournal, type Journal } from './journal.ts';
import { choicesFrom } from './random.ts';
import { watchSeats } from './seats.ts';
import { openShops } from './shops.ts';
import { type Surroundings, startSurroundings } from './surroundings.ts';
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
  answers: Journal['answers'];
  totals: { answers: number; acknowledged: number; unknown: number; facts: number; looks: number };
  strikes: Strike[];
  /** The first lines of errors that the processes have written. */
  alarms: string[];
}

const TELL_EVERY_MS = 5000;

/**
 * Starts a platform, lets clients loose on it and breaks it again and again, puts everything back, and holds what is
 * there against what was acknowledged and promised. Errors: a platform that does not start; a guard that there is not.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const around = await startSurroundings(options.say);
  try {
    return await drillOn(around, options);
  } finally {
    await around.close();
  }
}

/** The same on a platform that is there already, and stays. */
export async function drillOn(around: Surroundings, options: DrillOptions): Promise<DrillReport> {
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
  const choices = choicesFrom(seed);
  const journal = createJournal();
  const shops = await openShops(around);
  await takeAway(around, without);
  const ending = new AbortController();
  const watching = new AbortController();
  const signals = [ending.signal, ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  const seats = watchSeats(around, watching.signal);
  const stage = { around, shops, journal, choices: choices.branch('faults') };
  const hands = options.once ? once(faults) : deal(stage.choices, faults);
  const injection = await injectFaults(stage, { hands, calmMs, signal });
  const begunAt = performance.now();
  const tell = teller(say, begunAt, journal);
  const work = runClients({ around, shops, journal, choices, clients, signal });
  // What fails here fails the drill, once everything has been put back.
  for (const each of [work, injection.done]) each.catch(() => ending.abort());
  if (options.once) void injection.done.then(() => ending.abort());
  const isOver = () =>
    performance.now() >= begunAt + seconds * 1000 && injection.strikes.length >= leastStrikes;
  while (!signal.aborted && (options.once || !isOver())) {
    await delay(TELL_EVERY_MS / 5, undefined, { signal }).catch(() => {});
    tell(injection.now());
  }
  ending.abort();
  say('putting back what is broken, and waiting for the last answers');
  await Promise.all([injection.done, work]);
  say('checking');
  const found = await check(around, journal, injection.strikes, settleMs);
  watching.abort();
  await seats.done;
  const findings = [finding('no seat was sold twice at any time', 'I1', seats.oversold), ...found];
  return {
    seed,
    seconds,
    without,
    isBroken: findings.some(({ isBroken }) => isBroken),
    findings,
    answers: journal.answers,
    totals: {
      ...journal.totals(),
      unknown: journal.unknown.length,
      facts: journal.facts.length,
      looks: seats.looks(),
    },
    strikes: injection.strikes.map((strike) => ({ ...strike, ...sinceBegin(strike, begunAt) })),
    alarms: around.alarms().slice(0, 20),
  };
}

/** Says every few seconds how far the drill is, and what is broken now. */
function teller(say: DrillOptions['say'], begunAt: number, journal: Journal) {
  let toldAt = begunAt;
  return (now: string): void => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    const { answers, acknowledged } = journal.totals();
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(0).padStart(4);
    say(`${seconds} s  ${answers} answers, ${acknowledged} acknowledged  ${now}`);
  };
}

const sinceBegin = ({ beganAt, restoredAt, recoveredAt }: Strike, begunAt: number) => ({
  beganAt: Math.round(beganAt - begunAt),
  restoredAt: Math.round(restoredAt - begunAt),
  recoveredAt: Math.round(recoveredAt - begunAt),
});
