import { DataPointType, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Exemplar } from './exemplars.ts';

/** The formats that Prometheus reads. Only OpenMetrics has exemplars. */
export type ExpositionFormat = 'text' | 'openMetrics';

export const contentTypes: Record<ExpositionFormat, string> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** The format of a scraper by its header `Accept`. */
export const formatFor = (accept: string | undefined): ExpositionFormat =>
  accept?.includes('application/openmetrics-text') ? 'openMetrics' : 'text';

type Labels = Readonly<Record<string, unknown>>;

/** Returns the latest exemplar of each bucket of one series. */
export type ExemplarsOf = (metric: string, attributes: Labels) => readonly (Exemplar | undefined)[];

/** Writes metrics in a format of Prometheus. */
export function exposition(
  { resource, scopeMetrics }: ResourceMetrics,
  { format, exemplarsOf }: { format: ExpositionFormat; exemplarsOf: ExemplarsOf },
): string {
  const isOpenMetrics = format === 'openMetrics';
  const families = scopeMetrics.flatMap(({ metrics }) =>
    metrics.map((metric) => familyOf(metric, { isOpenMetrics, exemplarsOf })),
  );
  const target = { name: 'target', description: 'Target metadata' };
  const lines = [
    ...(isOpenMetrics
      ? metadata(target, 'info')
      : metadata({ ...target, name: 'target_info' }, 'gauge')),
    sample('target_info', resource.attributes, 1),
    ...families.flat(),
    ...(isOpenMetrics ? ['# EOF'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function familyOf(
  metric: MetricData,
  { isOpenMetrics, exemplarsOf }: { isOpenMetrics: boolean; exemplarsOf: ExemplarsOf },
): string[] {
  const { description } = metric.descriptor;
  const name = nameOf(metric.descriptor.name);
  switch (metric.dataPointType) {
    case DataPointType.SUM: {
      const total = `${name}_total`;
      const family = { name: isOpenMetrics ? name : total, description };
      const samples = metric.dataPoints.map((point) =>
        sample(total, point.attributes, point.value),
      );
      return [...metadata(family, 'counter'), ...samples];
    }
    case DataPointType.GAUGE: {
      const samples = metric.dataPoints.map((point) => sample(name, point.attributes, point.value));
      return [...metadata({ name, description }, 'gauge'), ...samples];
    }
    case DataPointType.HISTOGRAM: {
      const samples = metric.dataPoints.flatMap(({ attributes, value }) => {
        const exemplars = isOpenMetrics ? exemplarsOf(metric.descriptor.name, attributes) : [];
        return histogramSamples(name, attributes, { ...value, exemplars });
      });
      return [...metadata({ name, description }, 'histogram'), ...samples];
    }
    default:
      throw new Error(`${metric.descriptor.name} has a kind that this exposition does not write`);
  }
}

function histogramSamples(
  name: string,
  attributes: Labels,
  {
    count,
    sum = 0,
    buckets: { boundaries, counts },
    exemplars,
  }: {
    count: number;
    sum?: number;
    buckets: { boundaries: number[]; counts: number[] };
    exemplars: readonly (Exemplar | undefined)[];
  },
): string[] {
  let cumulated = 0;
  const buckets = counts.map((own, index) => {
    cumulated += own;
    const le = String(boundaries[index] ?? '+Inf');
    const line = sample(`${name}_bucket`, { ...attributes, le }, cumulated);
    const exemplar = exemplars[index];
    return exemplar ? `${line} ${exemplarText(exemplar)}` : line;
  });
  return [
    ...buckets,
    sample(`${name}_sum`, attributes, sum),
    sample(`${name}_count`, attributes, count),
  ];
}

const exemplarText = ({ traceId, value, atMs }: Exemplar): string =>
  `# {trace_id="${traceId}"} ${value} ${(atMs / 1000).toFixed(3)}`;

const metadata = ({ name, description }: { name: string; description: string }, type: string) => [
  `# HELP ${name} ${escaped(description)}`,
  `# TYPE ${name} ${type}`,
];

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([label, content]) => `${nameOf(label)}="${escaped(String(content)).replaceAll('"', '\\"')}"`,
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberText(value)}`;
}

const nameOf = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_]/g, '_');

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const numberText = (value: number): string =>
  Number.isFinite(value) || Number.isNaN(value) ? String(value) : `${value < 0 ? '-' : '+'}Inf`;
