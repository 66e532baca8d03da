import { parseArgs } from 'node:util';
import type { Rates } from './capacity.ts';
import { type RateOption, rateOptions, ratesOf, UsageError } from './rates.ts';

export const USAGE = `npm run -s scale -- <overlay> [rates] [--apply | --component] [--until <time>]
  npm run -s scale -- production --orders 50/s --checkins 15/s     how many pods each process needs
  rates: ${Object.keys(rateOptions)
    .map((option) => `--${option}`)
    .join(', ')}, as 50/s or 3000/min
  --apply                 raises minReplicas in the cluster, and waits until the pods are ready
  --until <time>          remembers when the sale ends, such as 2026-12-04T12:00Z
  --component             prints a Kustomize component to commit, for GitOps
  npm run -s scale -- production                    what is scaled now; exit code 1 if that is not as wanted
  npm run -s scale -- production --reset            sets back to the manifests
  npm run -s scale -- production --reset --overdue  only if the time of --until has passed`;

export type Arguments = { overlay: string } & (
  | { action: 'plan'; rates: Rates; until: Date | undefined }
  | { action: 'apply'; rates: Rates; until: Date | undefined }
  | { action: 'component'; rates: Rates; until: Date | undefined }
  | { action: 'state' }
  | { action: 'reset'; onlyOverdue: boolean }
);

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;

/** Parses the command line. Errors: UsageError. */
export function parseArguments(args: readonly string[], now: Date): Arguments {
  const { positionals, values } = parse(args);
  const [overlay, ...rest] = positionals;
  if (overlay === undefined || rest.length > 0) throw new UsageError(USAGE);
  const { apply, component, reset, overdue, until, ...texts } = values;
  const hasRates = Object.keys(texts).length > 0;
  const actions = [apply && '--apply', component && '--component', reset && '--reset'].filter(
    Boolean,
  );
  if (actions.length > 1) throw new UsageError(`choose one of ${actions.join(', ')}`);
  if (overdue && !reset) throw new UsageError('--overdue needs --reset');
  if (reset) {
    if (hasRates || until !== undefined)
      throw new UsageError('--reset takes no rates and no --until');
    return { overlay, action: 'reset', onlyOverdue: overdue };
  }
  if (!hasRates) {
    const [option] = actions;
    if (option || until !== undefined)
      throw new UsageError(`${option || '--until'} needs a rate, such as --orders 50/s`);
    return { overlay, action: 'state' };
  }
  const rates = ratesOf(texts);
  const end = until === undefined ? undefined : parseEnd(until, now);
  if (apply) return { overlay, action: 'apply', rates, until: end };
  if (component) return { overlay, action: 'component', rates, until: end };
  return { overlay, action: 'plan', rates, until: end };
}

function parse(args: readonly string[]) {
  const rates = Object.fromEntries(Object.keys(rateOptions).map((option) => [option, text]));
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...(rates as Record<RateOption, typeof text>),
        until: text,
        apply: flag,
        component: flag,
        reset: flag,
        overdue: flag,
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** A time without a zone would mean that of the machine. */
function parseEnd(until: string, now: Date): Date {
  const end = new Date(until);
  const hasZone = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(until);
  if (!hasZone || Number.isNaN(end.getTime()))
    throw new UsageError(
      `--until must be a time with a zone, such as 2026-12-04T12:00Z, and is ${until}`,
    );
  if (end <= now) throw new UsageError(`--until must be in the future, and is ${until}`);
  return end;
}
