import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@event-api/platform/core/clock';
import { markdownTable } from '@event-api/tools/documents/markdown-table';
import type { Verdict } from './verdicts.ts';

/** One recorded run of benches. */
export interface RecordedRun {
  /** Date and time in UTC. */
  at: string;
  commit: string;
  machine: string;
  verdicts: Verdict[];
}

const root = join(import.meta.dirname, '../..');
const historyFile = join(import.meta.dirname, 'history.json');
export const pageFile = join(root, 'docs/performance.md');

export const readHistory = (): RecordedRun[] => JSON.parse(readFileSync(historyFile, 'utf8'));

/** Adds a run to the history and writes the page of it. */
export function record(verdicts: Verdict[]): void {
  const history = readHistory();
  history.push({
    at: systemClock.now().toISOString().slice(0, 16).replace('T', ' '),
    commit: execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root })
      .toString()
      .trim(),
    machine: `${cpus().length} processors (${cpus()[0]?.model.trim() ?? arch()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
    verdicts,
  });
  writeFileSync(historyFile, `${JSON.stringify(history, null, 2)}\n`);
  writeFileSync(pageFile, performancePage(history));
}

const introduction = `# Performance

\`npm run bench -- all --record\` starts a platform with production settings, measures it on this machine, and writes
this page. Every figure is a ratio to a baseline that does the least possible work on the same servers in the same run:
a proxy without checks, or statements that write only the rows. Baseline and platform alternate for three rounds, every second one
in reverse order, each after two seconds of the same load, after a first round that is not counted and a checkpoint of the database.
How long an operator waits for the console has no baseline.

**The worst round counts.** If the baseline itself differs by more than 25 % between the rounds, the machine was not
quiet and there is no verdict. The 99th percentile of check-ins beside open consoles varies by more than its aim allows; there the
95 % confidence interval of the median of at least six rounds counts.
`;

const limits = `## What limits the missed figures

Figures of the run of 2026-11-26, 12:28, on two processors. The load generator runs on the same machine, which is saturated at the
rates of the table. The machine is shared and was slower than in some earlier runs: quieter ones reached 0.86 of the throughput of
the bare proxy at 1.37 times its CPU, and 0.46 of the bare inserts with 64 clients.

- **Gateway, CPU**: 155 µs for a request against 107 µs of the bare proxy. In a profile of its main thread, writing responses to their
  sockets takes 24 %, calls to Redis 15 % (one call for each four requests; 13 % are its system call), undici with the requests to the
  service 19 %, URLs and the proxy plugin 5 %, Fastify 4 %, metrics 2 %, the hash of the secret 1.5 %. No function of the project is
  above 1 % by itself. Requests of one turn of the event loop share a call to Redis; to wait for more of them made no measurable
  difference (14 starts). What is left above the bare proxy is Redis, authentication, the envelope and metrics
  ([ADR 0005](adr/0005-gateway-forwarding.md)).
- **Admission**: a registration with 64 clients costs 0.50 ms of CPU: PostgreSQL 0.20, registration 0.19, the change feed 0.03, and
  0.07 the projections of other services and NATS. The baseline writes one row, a registration seven with their
  indexes. The CPU profile of registration (\`node --cpu-prof tests/bench/run.ts admission\`) is flat: garbage collection is 11 %,
  writing to sockets 18 %, the HTTP framework 13 %, and the ids of a registration 6 %. With 256 clients the batches are larger, and a
  registration costs 0.42 ms.
- **Published write**: besides its transaction a write has a message that NATS stores and acknowledges, and a commit that marks it as
  published. With four consumers, each service commits the message to its projections.
- **Orders, 64 clients**: an order costs 8.6 ms of CPU: PostgreSQL 3.3, commerce 1.8, registration 1.3, gateway 1.1, the feed 0.3.
  [Checkout](algorithms/checkout.md#what-an-order-costs) lists the commits.
- **Orders, one client**: nothing shares a commit, a batch or a wake-up of a process. An order costs 21 to 34 ms of CPU in 13 to 14
  commits, of which five wait for the disk.
`;

/** The page of all recorded runs, the newest first. */
export function performancePage(history: readonly RecordedRun[]): string {
  const latest = history.at(-1);
  if (!latest) return introduction;
  const { verdicts } = latest;
  return [
    introduction,
    `## Latest run\n\n${latest.at} UTC, commit \`${latest.commit}\`, ${latest.machine}.\n`,
    markdownTable(
      ['Ratio', 'Aim', 'Median', 'Worst round', 'Noise', 'Verdict'],
      verdicts.map((each) => [
        each.aim.name,
        boundOf(each),
        each.median.toFixed(2),
        each.worst.toFixed(2),
        `${(each.noise * 100).toFixed(0)} %`,
        each.outcome,
      ]),
    ),
    '',
    chart(verdicts.filter(({ aim }) => 'atLeast' in aim)),
    '',
    limits,
    '## History\n',
    'Median of each ratio; in parentheses where the machine was not quiet.\n',
    markdownTable(
      ['Run', ...verdicts.map(({ aim }) => aim.name)],
      history
        .toReversed()
        .map(({ at, commit, verdicts: old }) => [
          `${at} \`${commit}\``,
          ...verdicts.map(({ aim }) => medianOf(old.find((each) => each.aim.name === aim.name))),
        ]),
    ),
    '',
  ].join('\n');
}

const boundOf = ({ aim }: Verdict) => ('atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`);

function medianOf(verdict: Verdict | undefined): string {
  if (!verdict) return '–';
  const median = verdict.median.toFixed(2);
  return verdict.outcome === 'noisy' ? `(${median})` : median;
}

/** Bars of the medians, with the aims as a line. The bars have numbers, which a list explains. */
function chart(verdicts: readonly Verdict[]): string {
  const bounds = verdicts.map(({ aim }) => ('atLeast' in aim ? aim.atLeast : aim.atMost));
  return [
    'Share of the baseline that the platform reaches (bars), and the aim (line):\n',
    '```mermaid',
    'xychart-beta',
    `  x-axis [${verdicts.map((_, index) => index + 1).join(', ')}]`,
    '  y-axis "share of the baseline" 0 --> 1.2',
    `  bar [${verdicts.map(({ median }) => median.toFixed(2)).join(', ')}]`,
    `  line [${bounds.join(', ')}]`,
    '```\n',
    ...verdicts.map(({ aim }, index) => `${index + 1}. ${aim.name}`),
  ].join('\n');
}
