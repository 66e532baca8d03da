import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions } from '@event-api/contracts/metrics/definitions';
import { containerPorts } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { prometheusRule, prometheusRuleFile } from '../observability/prometheus-rule.ts';
import { root } from './image-tree.ts';
import {
  type Labels,
  type Manifest,
  manifestsOf,
  parseManifests,
  type Selector,
} from './manifests.ts';

const folder = join(root, 'deploy/observability');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

interface PodMonitor extends Omit<Manifest, 'spec'> {
  spec: {
    selector: Selector;
    podMetricsEndpoints: {
      port: string;
      relabelings: { targetLabel: string; replacement?: string; sourceLabels?: string[] }[];
    }[];
  };
}

const monitors = parseManifests(read('kubernetes/pod-monitors.yaml')) as unknown as PodMonitor[];

test('the PrometheusRule has the committed rules', () => {
  expect(readFileSync(prometheusRuleFile, 'utf8')).toBe(prometheusRule());
  const manifest = parse(prometheusRule());
  const groups = ['rules.yaml', 'server-rules.yaml'].flatMap((file) => parse(read(file)).groups);
  expect(manifest.spec.groups).toEqual(groups);
});

describe('PodMonitors', () => {
  test('read the internal port of every process, with the labels that rules query', () => {
    const ofProcesses = monitors.find(({ metadata }) => metadata.name === 'event-api');
    expect(ofProcesses?.spec.selector.matchLabels).toEqual({ 'event-api/role': 'process' });
    const [endpoint] = ofProcesses?.spec.podMetricsEndpoints ?? [];
    expect(endpoint?.relabelings).toMatchObject([
      { targetLabel: 'job', replacement: 'event-api' },
      {
        targetLabel: 'service',
        sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'],
      },
    ]);
    for (const { kind, spec } of manifestsOf('production')) {
      if (kind !== 'Deployment') continue;
      const ports = spec.template?.spec.containers.flatMap(({ ports = [] }) => ports) ?? [];
      expect(ports).toContainEqual({
        name: endpoint?.port,
        containerPort: containerPorts.internal,
      });
    }
  });

  test('name the jobs that rules query', () => {
    const jobs = monitors.flatMap(({ spec }) =>
      spec.podMetricsEndpoints.flatMap(({ relabelings }) =>
        relabelings.flatMap(({ targetLabel, replacement }) =>
          targetLabel === 'job' ? (replacement ?? []) : [],
        ),
      ),
    );
    const queried = `${read('rules.yaml')}${read('server-rules.yaml')}`.matchAll(/job="([\w-]+)"/g);
    for (const [, job] of queried) expect(jobs).toContain(job);
  });

  test.each(['postgres', 'nats', 'redis'])('select the pods of %s', (name) => {
    const monitor = monitors.find(({ metadata }) => metadata.name === name);
    const labels: Labels = { 'event-api/server': name };
    expect(monitor?.spec.selector.matchLabels).toEqual(labels);
  });
});

test('the dashboards are ConfigMaps with the label of Grafana', () => {
  const { configMapGenerator, resources } = parse(read('kustomization.yaml'));
  const files = readdirSync(join(folder, 'dashboards')).map((file) => `dashboards/${file}`);
  expect(configMapGenerator).toMatchObject([
    { files: files.toSorted(), options: { labels: { grafana_dashboard: '1' } } },
  ]);
  expect(resources).toEqual(['kubernetes/pod-monitors.yaml', 'kubernetes/prometheus-rule.yaml']);
});

test('kubectl renders the monitoring if it is installed', () => {
  const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
  });
  if (error) return;
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const kinds = parseManifests(stdout).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['ConfigMap', 'PodMonitor', 'PrometheusRule']));
});

describe('autoscaling on queues', () => {
  const metrics = manifestsOf('production').flatMap(({ kind, spec }) =>
    kind === 'HorizontalPodAutoscaler'
      ? (spec.metrics ?? []).flatMap(({ pods }) => pods?.metric.name ?? [])
      : [],
  );
  const exported = new Set(Object.keys(metricDefinitions).map((name) => name.replaceAll('.', '_')));
  const [rule] = parse(read('kubernetes/prometheus-adapter-values.yaml')).rules.custom;

  test('uses metrics that processes export and the adapter serves', () => {
    expect(metrics.toSorted()).toEqual(['onsite_checkins_queued', 'registration_admission_queued']);
    expect(metrics.filter((name) => !exported.has(name))).toEqual([]);
    const [, served = ''] = /__name__=~"([^"]+)"/.exec(rule.seriesQuery) ?? [];
    expect(served.split('|').toSorted()).toEqual(metrics.toSorted());
  });
});

test('the collector receives traces on the allowed port, and each pipeline uses what is configured', () => {
  const { config, ports } = parse(read('kubernetes/collector-values.yaml'));
  const allowed = manifestsOf('production')
    .filter(({ metadata }) => metadata.name === 'traces')
    .flatMap(({ spec }) => spec.egress?.flatMap((rule) => rule.ports?.map(({ port }) => port)));
  expect(allowed).toEqual([ports['otlp-http'].containerPort]);
  expect(config.receivers.otlp.protocols.http.endpoint).toBe(`0.0.0.0:${allowed[0]}`);
  const pipelines = Object.entries<Record<string, string[]> | null>(config.service.pipelines);
  expect(pipelines.filter(([, pipeline]) => pipeline).map(([name]) => name)).toEqual(['traces']);
  for (const [, pipeline] of pipelines) {
    for (const [part, names] of Object.entries(pipeline ?? {})) {
      for (const name of names) expect(config[part], part).toHaveProperty([name]);
    }
  }
  // The limiter must see spans before they are kept in memory.
  expect(config.service.pipelines.traces.processors[0]).toBe('memory_limiter');
});
