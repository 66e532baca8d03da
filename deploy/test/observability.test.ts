import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions } from '@event-api/contracts/metrics/definitions';
import { processNames } from '@event-api/contracts/topology';
import type { MetricName } from '@event-api/platform/telemetry/attributes';
import { createMetrics, type Metrics } from '@event-api/platform/telemetry/metrics';
import { metricsOf } from '@event-api/provisioning/backup/schedule';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './image-tree.ts';

interface AlertRule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: { severity: string };
  annotations?: { summary: string; runbook: string };
}

const folder = join(root, 'deploy/observability');
const text = readFileSync(join(folder, 'rules.yaml'), 'utf8');
const rulesOf = (content: string): AlertRule[] =>
  (parse(content).groups as { rules: AlertRule[] }[]).flatMap(({ rules: own }) => own);
const rules = rulesOf(text);
const serverRules = rulesOf(readFileSync(join(folder, 'server-rules.yaml'), 'utf8'));
const composeRules = rulesOf(readFileSync(join(folder, 'compose-rules.yaml'), 'utf8'));
const alerts = [...rules, ...serverRules, ...composeRules].filter(
  ({ alert }) => alert !== undefined,
);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const dashboards = readdirSync(join(folder, 'dashboards')).map((name) => ({
  name,
  content: JSON.parse(readFileSync(join(folder, 'dashboards', name), 'utf8')),
}));

interface Panel {
  targets: { expr: string; exemplar?: boolean }[];
}

/** Names of the series in an expression, without labels, functions and keywords. */
function seriesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without|on)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/label_values\(([^,]+),[^)]*\)/g, '$1');
  const words = bare.match(/[a-z][\w:]*(?!\s*\()\b(?!\s*\()/g) ?? [];
  return words.filter((word) => !['or', 'and', 'unless'].includes(word));
}

const exprsOf = ({ content }: (typeof dashboards)[number]): string[] =>
  content.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );

/** The labels in the selectors of each series. */
const selectionsIn = (expr: string): { name: string; label: string }[] =>
  [...expr.matchAll(/([a-z_:]+)\{([^}]*)\}/g)].flatMap(([, name = '', labels = '']) =>
    [...labels.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => ({ name, label })),
  );

/** The series names of a metric. */
function seriesOf(name: MetricName): string[] {
  const { kind, unit } = metricDefinitions[name];
  const suffix = { s: '_seconds', By: '_bytes' }[unit as string] ?? '';
  const base = `${name.replaceAll('.', '_')}${suffix}`;
  if (kind === 'gauge') return [base];
  if (kind === 'histogram') return ['bucket', 'sum', 'count'].map((part) => `${base}_${part}`);
  return [`${base}_total`];
}

const metricNames = Object.keys(metricDefinitions) as MetricName[];

function labelsOf(series: string): Set<string> {
  const metric = metricNames.find((name) => seriesOf(name).includes(series));
  const own = metric ? metricDefinitions[metric].attributes : [];
  return new Set([
    ...own.map((name: string) => name.replaceAll('.', '_')),
    ...['service', 'job', 'le', 'instance'],
  ]);
}

/** The names of all series that a process exports. */
let exported: Set<string>;
beforeAll(async () => {
  const metrics: Metrics = createMetrics('any');
  for (const [name, { kind }] of Object.entries(metricDefinitions)) {
    // Each kind of metric has its own method, which accepts the names of this kind only.
    if (kind === 'counter') metrics.counter(name as 'outbox.rejected' & never)();
    else if (kind === 'histogram') metrics.histogram(name as 'http.server.request.duration')(1, {});
    else metrics.observe(name as 'outbox.rejected', () => 1);
  }
  const lines = (await metrics.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  exported = new Set(lines.map((line) => /^[\w:]+/.exec(line)?.[0] ?? ''));
});

describe('alerts', () => {
  test('have exactly one entry each in the runbook', () => {
    const page = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
    const entries = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  test('have the severity of their runbook entry, a link to it, and a summary', () => {
    const page = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
    for (const { alert = '', labels, annotations } of alerts) {
      const [, entry = ''] = page.split(`\n### ${alert}\n`);
      expect(entry.trim().toLowerCase(), alert).toMatch(new RegExp(`^\\*\\*${labels?.severity}`));
      expect(annotations?.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(annotations?.summary, alert).toMatch(/\.$/);
    }
  });

  test('have an action in their runbook entry', () => {
    const page = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
    for (const { alert = '' } of alerts) {
      const [entry = ''] = (page.split(`\n### ${alert}\n`)[1] ?? '').split(/\n##/);
      expect(entry, alert).toMatch(/\n\*\*Action\.\*\* \S/);
    }
  });

  test('check each objective over four pairs of windows', () => {
    const objectives = ['Availability', 'ReadLatency', 'CheckinLatency'];
    for (const objective of objectives) {
      const of = (name: string) =>
        alerts.find(({ alert }) => alert === `${objective}${name}`)?.expr ?? '';
      const windows = [
        ...`${of('BurnsFast')}${of('BurnsSlowly')}`.matchAll(/errors_ratio(\w+) > ([\d.]+) \*/g),
      ];
      expect(windows.map(([, window, factor]) => `${factor} ${window}`)).toEqual([
        '14.4 1h',
        '14.4 5m',
        '6 6h',
        '6 30m',
        '3 1d',
        '3 2h',
        '1 3d',
        '1 6h',
      ]);
    }
  });
});

test('an alert reports projections without progress, at any lag', () => {
  const aboutLag = alerts.filter(({ expr }) => seriesIn(expr).includes('projection_lag'));
  const bounds = aboutLag.flatMap(({ expr }) =>
    [...expr.matchAll(/projection_lag(?:\[\w+\]\))? > (\d+)/g)].map(([, bound]) => Number(bound)),
  );
  expect(Math.min(...bounds)).toBe(0);
  // Under load the lag is rarely zero. The alert requires that it never decreases.
  const stuck = aboutLag.find(({ expr }) =>
    /min_over_time\(projection_lag\[\w+\]\) > 0/.test(expr),
  );
  expect(stuck?.expr).toMatch(/ and resets\(projection_lag\[\w+\]\) == 0$/);
  expect(stuck?.labels?.severity).toBe('page');
});

/** What exporters of the servers and the kubelet export. */
const serverSeries = [
  'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp',
  'cnpg_backends_total',
  'cnpg_collector_up',
  'cnpg_pg_replication_lag',
  'cnpg_pg_replication_streaming_replicas',
  'cnpg_pg_settings_setting',
  'cnpg_pg_stat_archiver_failed_count',
  'cnpg_pg_stat_archiver_seconds_since_last_archival',
  'jetstream_stream_limit_bytes',
  'jetstream_stream_total_bytes',
  'kube_job_failed',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'redis_up',
  'up',
];

test('alerts about servers query only series of their exporters', () => {
  const queried = new Set(serverRules.flatMap(({ expr }) => seriesIn(expr)));
  expect([...queried].toSorted()).toEqual(serverSeries);
});

test('alerts about the servers of Compose query only what its containers export', () => {
  const queried = new Set(composeRules.flatMap(({ expr }) => seriesIn(expr)));
  const exportedByBackups = metricsOf(new Date(0))
    .split('\n')
    .flatMap((line) => /^\w+/.exec(line) ?? []);
  expect([...queried]).toEqual(exportedByBackups);
});

test('a process that no process of its name replaces is reported, for every process', () => {
  const { expr } = alerts.find(({ alert }) => alert === 'ProcessAbsent') ?? { expr: '' };
  const services = [...expr.matchAll(/absent\(up\{job="event-api",service="(\w+)"\}\)/g)];
  expect(services.map(([, service]) => service).toSorted()).toEqual([...processNames].toSorted());
});

describe('every queried series', () => {
  const exists = (name: string) => exported.has(name) || recorded.has(name) || name === 'up';

  test('is found in an expression', () => {
    expect(seriesIn('sum by (a, b) (rate(x_total{c="d"}[5m])) / y > 1 and z:r5m')).toEqual([
      'x_total',
      'y',
      'z:r5m',
    ]);
  });

  test('of a rule is exported by a process or recorded by another rule', () => {
    const wrong = rules.flatMap(({ expr }) => seriesIn(expr).filter((name) => !exists(name)));
    expect(wrong).toEqual([]);
    expect(exists('http_server_request_duration_seconds')).toBe(false);
  });

  test('includes every exported metric', () => {
    const queried = [...rules.map(({ expr }) => expr), ...dashboards.flatMap(exprsOf)].flatMap(
      seriesIn,
    );
    const used = new Set(queried);
    const isUsed = (name: MetricName) => seriesOf(name).some((series) => used.has(series));
    expect(metricNames.filter((name) => !isUsed(name))).toEqual([]);
    expect(metricNames.flatMap(seriesOf).filter((series) => !exported.has(series))).toEqual([]);
  });

  test.each(dashboards)('of dashboard $name is exported or recorded', (dashboard) => {
    const exprs = exprsOf(dashboard);
    expect(exprs.length).toBeGreaterThan(10);
    expect(exprs.flatMap(seriesIn).filter((name) => !exists(name))).toEqual([]);
  });

  test('has the queried labels and bucket bounds', () => {
    const all = [...rules.map(({ expr }) => expr), ...dashboards.flatMap(exprsOf)];
    const selections = all.flatMap(selectionsIn);
    expect(selections.length).toBeGreaterThan(40);
    expect(selections.filter(({ name, label }) => !labelsOf(name).has(label))).toEqual([]);
    expect(selectionsIn('sum(rate(up{kind!~"a",job="b"}[5m]))')).toEqual([
      { name: 'up', label: 'kind' },
      { name: 'up', label: 'job' },
    ]);
    const grouped = all.flatMap((expr) => [...expr.matchAll(/\bby \(([^)]*)\) \((.*)/g)]);
    expect(grouped.length).toBeGreaterThan(20);
    for (const [, labels = '', rest = ''] of grouped) {
      const [name = ''] = seriesIn(rest);
      for (const label of labels.split(/,\s*/)) expect([...labelsOf(name)]).toContain(label);
    }
    const bounds = [...text.matchAll(/le="([\d.]+)"/g)].map(([, bound]) => Number(bound));
    expect(metricDefinitions['http.server.request.duration'].buckets).toEqual(
      expect.arrayContaining(bounds),
    );
  });
});

test('Prometheus reads its targets from the file that Compose mounts, and the backups', () => {
  const { scrape_configs, rule_files } = parse(
    readFileSync(join(folder, 'prometheus.yaml'), 'utf8'),
  );
  const compose = (file: string) =>
    parse(readFileSync(join(root, file), 'utf8').replaceAll('!override', ''), { merge: true });
  const { services, configs } = compose('docker-compose.yml');
  const [{ target }, ofBackups] = services.observability.configs;
  const [processes, backups] = scrape_configs;
  expect(processes.file_sd_configs).toEqual([{ files: [target] }]);
  expect(backups.file_sd_configs).toEqual([{ files: [ofBackups.target] }]);
  const targetsOf = (content: string) => JSON.parse(content)[0].targets;
  expect(targetsOf(configs[ofBackups.source].content)).toEqual(['backup-schedule:9090']);
  expect(Object.keys(services)).toContain('backup-schedule');
  const each = compose('deploy/compose/server-per-process.yaml');
  const taking = Object.keys(each.services).filter((name) =>
    processNames.some((process) => name === `backup-${process}`),
  );
  expect(targetsOf(each.configs[ofBackups.source].content)).toEqual(
    taking.map((name) => `${name}:9090`),
  );
  expect(taking).toHaveLength(processNames.length);
  const mounted = services.observability.volumes.map((volume: string) => volume.split(':')[1]);
  expect(mounted).toEqual(expect.arrayContaining(rule_files));
});

test('panels of durations and of settlements show exemplars', () => {
  const linked = dashboards.flatMap(({ content }) =>
    (content.panels as Panel[]).flatMap(({ targets }) =>
      targets.flatMap(({ expr, exemplar }) => (exemplar ? seriesIn(expr) : [])),
    ),
  );
  expect(linked).toEqual([
    'commerce_settlement_lag_seconds_bucket',
    'http_server_request_duration_seconds_bucket',
    'http_server_request_duration_seconds_bucket',
  ]);
});

test('panels of a dashboard have unique positions and ids', () => {
  for (const { name, content } of dashboards) {
    const { panels } = content as { panels: { id: number; gridPos: object }[] };
    expect(new Set(panels.map(({ id }) => id)).size, name).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length);
  }
});
