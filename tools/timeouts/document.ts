import { markdownTable } from '../documents/markdown-table.ts';
import { type Budget, sumOf } from './budgets.ts';
import type { TimeoutGroup, TimeoutValue } from './values.ts';

/** All timeouts and the waits within waits, as text. */
export function timeoutsDocument(
  groups: readonly TimeoutGroup[],
  budgets: readonly Budget[],
): string {
  return [intro, ...groups.map(sectionOf), budgetsSection(groups, budgets)].join('\n');
}

const intro = `# Timeouts, retries and lifetimes

From the \`timeouts.ts\` of each process and of the runtime. \`readAfter.waitMs\` is \`waitMs\` of \`readAfterTimeouts\` in the named file. A name in capitals is a setting, and its
value is the default. Deployments may set it to another value.

The third column names an action or a state. The value is the longest time that it may take or last, unless the column
names something else, such as an interval, a pause or a number of attempts. An action that takes longer is given up; where
another result follows, the column names it.

The gateway and the clients between services never retry a request; clients of the API do.
`;

const sectionOf = ({ title, file, values }: TimeoutGroup): string =>
  [
    `## ${title}`,
    '',
    file,
    '',
    markdownTable(
      ['Name', 'Value', 'Meaning', 'Reason'],
      values.map((value) => [`\`${value.id}\``, formatValue(value), value.what, value.why]),
    ),
    '',
  ].join('\n');

function budgetsSection(groups: readonly TimeoutGroup[], budgets: readonly Budget[]): string {
  const values = new Map(
    groups.flatMap((group) => group.values.map(({ id, value }) => [id, value])),
  );
  const rows = budgets.map(({ inner, outer, why, exception }) => [
    `${formatDuration(sumOf(inner, values))}: ${inner.map((id) => `\`${id}\``).join(' + ')}`,
    `${formatDuration(values.get(outer) ?? 0)}: \`${outer}\``,
    exception === undefined ? why : `${why} **Exception:** ${exception}`,
  ]);
  return [
    '## Waits within waits',
    '',
    'An inner wait happens during the outer one and should be shorter. Inner waits that follow one another are added. A test',
    'fails when an inner wait exceeds the outer one and tools/timeouts/budgets.ts does not',
    'declare an exception with its reason.',
    '',
    markdownTable(['Inner', 'Outer', 'Reason'], rows),
    '',
  ].join('\n');
}

const formatValue = ({ value, isDuration }: TimeoutValue): string =>
  isDuration ? formatDuration(value) : String(value);

/** In the largest unit with at most one decimal. */
export function formatDuration(ms: number): string {
  const units = [
    ['d', 48 * 3_600_000, 24 * 3_600_000],
    ['h', 2 * 3_600_000, 3_600_000],
    ['min', 2 * 60_000, 60_000],
    ['s', 1000, 1000],
  ] as const;
  const unit = units.find(([, from, length]) => ms >= from && Number.isInteger((ms / length) * 10));
  return unit ? `${ms / unit[2]} ${unit[0]}` : `${ms} ms`;
}
