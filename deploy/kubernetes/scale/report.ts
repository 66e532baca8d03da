import type { Rates } from './capacity.ts';
import type { ProcessPlan, ScalePlan } from './plan.ts';
import type { ProcessSize } from './process-size.ts';
import { describeRates } from './rates.ts';

const row = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, column) => (column === 0 ? String(cell).padEnd(13) : String(cell).padStart(8)))
    .join('');

const remarkOf = (plan: ProcessPlan): string =>
  plan.outcome === 'beyond'
    ? `  needs ${plan.needed}: raise maxReplicas`
    : plan.outcome === 'raise'
      ? '  raise'
      : '';

/** The plan as text: one line for each process, then what nodes and PostgreSQL must carry. */
export function describePlan(
  rates: Rates,
  { processes, added, postgres }: ScalePlan,
  sizes: readonly ProcessSize[],
  server: { connections: number; cores: number } | null,
): string {
  const lines = processes.map((plan, index) => {
    const { minReplicas = 0, maxReplicas = 0 } = sizes[index] ?? {};
    const figures = row([plan.name, plan.cores.toFixed(2), minReplicas, maxReplicas, plan.pods]);
    return `${figures}${remarkOf(plan)}`;
  });
  const { cores, logBytesPerSecond, connections } = postgres;
  return [
    describeRates(rates),
    '',
    row(['', 'cores', 'least', 'most', 'pods']),
    ...lines,
    '',
    added.pods === 0
      ? 'The pods that the manifests have at least are enough.'
      : `${added.pods} more pods request ${added.cores.toFixed(1)} cores and ${(added.mebibytes / 1024).toFixed(1)} GiB of the nodes.`,
    `PostgreSQL: ${cores.toFixed(2)} cores${server ? ` of ${server.cores} requested` : ''}, ${(logBytesPerSecond / 1e6).toFixed(1)} MB/s of log.`,
    ...(server && cores > server.cores * 0.6
      ? ['PostgreSQL is busier than 60 %: give it more cores before the sale (docs/scale.md).']
      : []),
    ...(server && connections > server.connections
      ? [
          `max_connections must be at least ${connections}, and is ${server.connections}: raise it first, together with the memory.`,
        ]
      : []),
  ].join('\n');
}
