import { parseArgs } from 'node:util';
import {
  type Overrides,
  type ScenarioName,
  scenarioNames,
  scenarioOf,
} from '@event-api/tools/load/scenarios';

/** A mistake in the command line, reported in one line. */
export class UsageError extends Error {}

export const USAGE = [
  'npm run load -- <scenario> [--rate n] [--seconds n] [--seats n] [--hesitation n]',
  'npm run load -- <scenario> --data <file> [--target <url>] [--payments <url>]',
  'npm run load -- check',
].join('\n');

export type Arguments =
  | { action: 'help' }
  | { action: 'check' }
  /** Against the platform on DATA_DIR, which is prepared now. */
  | { action: 'here'; name: ScenarioName; overrides: Overrides }
  /** Against a platform that `load.prepare` has prepared. */
  | {
      action: 'there';
      name: ScenarioName;
      data: string;
      target: string | undefined;
      payments: string | undefined;
    };

/** Parses the command line. Errors: UsageError. */
export function parseArguments(args: readonly string[]): Arguments {
  const { positionals, values } = parse(args);
  const [name, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`too many arguments\n${USAGE}`);
  if (name === undefined) return { action: 'help' };
  if (name === 'check') return { action: 'check' };
  if (!isScenario(name)) {
    throw new UsageError(`unknown scenario ${name}; available: ${scenarioNames.join(', ')}`);
  }
  const { data, target, payments, ...figures } = values;
  if (data === undefined) {
    const [option] = Object.entries({ target, payments }).find(([, value]) => value) ?? [];
    if (option) throw new UsageError(`--${option} needs --data, the output of load.prepare`);
    return { action: 'here', name, overrides: overridesOf(name, figures) };
  }
  const [figure] = Object.keys(figures);
  if (figure) throw new UsageError(`--${figure} is part of the data: give it to load.prepare`);
  for (const [option, value] of Object.entries({ target, payments })) {
    if (value !== undefined && !isHttp(value))
      throw new UsageError(`--${option} must be an http or https URL`);
  }
  return { action: 'there', name, data, target, payments };
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rate: option,
        seconds: option,
        seats: option,
        hesitation: option,
        data: option,
        target: option,
        payments: option,
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

const isScenario = (name: string): name is ScenarioName =>
  scenarioNames.some((one) => one === name);

const isHttp = (text: string): boolean =>
  ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

/** Errors: UsageError for a figure that is no number or does not fit the scenario. */
function overridesOf(name: ScenarioName, figures: Record<string, string | undefined>): Overrides {
  const overrides = Object.fromEntries(
    Object.entries(figures).map(([option, text]) => [option, figureOf(option, text ?? '')]),
  );
  const choice = scenarioOf(name, overrides);
  if (choice.outcome === 'misfit') throw new UsageError(`--${choice.field} ${choice.issue}`);
  return overrides;
}

function figureOf(option: string, text: string): number {
  const value = Number(text);
  const isFit = option === 'hesitation' ? value >= 0 : Number.isInteger(value) && value > 0;
  if (text === '' || !isFit) throw new UsageError(`--${option} must be a positive number`);
  return value;
}
