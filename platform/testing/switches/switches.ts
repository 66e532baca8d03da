import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Statement } from '../../src/db/statement.ts';
import { statementOverrides } from './overrides.ts';

/** What the instrumented code of a test process calls, and what tests in the same process set. */

type Action = () => Promise<void> | void;

interface Switches {
  actions: ReadonlyMap<string, Action>;
  disabled: ReadonlySet<string>;
}

/** Longest pause at a step. Concurrent requests interleave in every order. */
const maxPauseMs = 150;
/** How often a step that is held looks whether it may go on. */
const holdPollMs = 20;

const actions = new Map<string, Action>();
const disabled = new Set<string>();

/** Runs `action` whenever this process reaches a step, until the end of the test. */
export const atStep = (step: string, action: Action): void => void actions.set(step, action);

/** Disables a guard in this process until the end of the test. */
export const disableGuard = (guard: string): void => void disabled.add(guard);

/** Removes all actions and enables all guards. */
export function resetSwitches(): void {
  actions.clear();
  disabled.clear();
}

const setting = process.env.TEST_SWITCHES ?? '';
const filePrefix = 'file:';
const fixed = setting.startsWith(filePrefix) ? null : parseSwitches(setting);

/**
 * The switches of a separate process: `TEST_SWITCHES=kill:step,pause:step,hold:step,fail:step,off:guard`,
 * or `file:path` of a file with the same content, which is read at every step, so that a test can
 * change it without restarting the process. A pause is short and random; what is held goes on when
 * the file does not contain it any more.
 * Errors: an unknown entry.
 */
export function parseSwitches(list: string): Switches {
  const parsed = { actions: new Map<string, Action>(), disabled: new Set<string>() };
  for (const entry of list.split(',').filter(Boolean)) {
    const [kind, name] = entry.split(':');
    if (kind === 'kill' && name)
      parsed.actions.set(name, () => void process.kill(process.pid, 'SIGKILL'));
    else if (kind === 'pause' && name)
      parsed.actions.set(name, () => delay(Math.random() * maxPauseMs));
    else if (kind === 'hold' && name) parsed.actions.set(name, () => released(name));
    else if (kind === 'fail' && name)
      parsed.actions.set(name, () => {
        throw new Error(`failed at ${name}`);
      });
    else if (kind === 'off' && name) parsed.disabled.add(name);
    else throw new Error(`TEST_SWITCHES: unknown entry ${entry}`);
  }
  return parsed;
}

const readSwitches = (): string => readFileSync(setting.slice(filePrefix.length), 'utf8');

const ofProcess = (): Switches => fixed ?? parseSwitches(readSwitches());

async function released(step: string): Promise<void> {
  while (readSwitches().split(',').includes(`hold:${step}`)) await delay(holdPollMs);
}

/** Stands for `reachStep` in instrumented code. */
export function reach(step: string): Promise<void> | void {
  return (actions.get(step) ?? ofProcess().actions.get(step))?.();
}

/** Whether instrumented code omits a guard. */
export const isOff = (guard: string): boolean =>
  disabled.has(guard) || ofProcess().disabled.has(guard);

/** The statement that instrumented code runs instead of `statement`. */
export function overridden<Row>(statement: Statement<Row>): Statement<Row> {
  const override = statementOverrides.get(statement.name);
  if (!override || !isOff(override.guard)) return statement;
  const text = override.edit(statement.text);
  if (text === statement.text) throw new Error(`${override.guard} is not in ${statement.name}`);
  return { ...statement, name: `${statement.name}_unguarded`, text };
}
