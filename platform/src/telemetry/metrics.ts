import type { MetricDefinition } from '@event-api/contracts/metrics/definition';
import { metricDefinitions } from '@event-api/contracts/metrics/definitions';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
} from '@opentelemetry/sdk-metrics';
import type { MetricAttributes, MetricName, NameOf } from './attributes.ts';

/**
 * The metrics of one process. Several callers may count under one name; a name is observed by one
 * callback only.
 */
export interface Metrics {
  /** Adds `by`, by default 1. */
  counter<Name extends NameOf<'counter'>>(
    name: Name,
  ): (attributes?: MetricAttributes<Name>, by?: number) => void;
  histogram<Name extends NameOf<'histogram'>>(
    name: Name,
  ): (value: number, attributes: MetricAttributes<Name>) => void;
  /**
   * Calls back at every scrape for the value, or for one value per set of attributes. The callback
   * must be cheap.
   */
  observe<Name extends NameOf<'gauge' | 'observed counter'>>(
    name: Name,
    read: () => number | Iterable<readonly [number, MetricAttributes<Name>]>,
  ): void;
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>;
}

export function createMetrics(service: string): Metrics {
  const reader = new Collecting();
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    readers: [reader],
  });
  const meter = provider.getMeter('event-api');
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const observed = new Set<MetricName>();
  return {
    counter(name) {
      const counter = meter.createCounter(exposedName(name), describe(name));
      // The series starts at 0: otherwise the first count would not be an increase.
      if (metricDefinitions[name].attributes.length === 0) counter.add(0);
      return (attributes, by = 1) => counter.add(by, attributes);
    },
    histogram(name) {
      const histogram = meter.createHistogram(exposedName(name), describe(name));
      return (value, attributes) => histogram.record(value, attributes);
    },
    observe(name, read) {
      if (observed.has(name)) throw new Error(`${name} is already observed`);
      observed.add(name);
      const isGauge = metricDefinitions[name].kind === 'gauge';
      const instrument = isGauge
        ? meter.createObservableGauge(exposedName(name), describe(name))
        : meter.createObservableCounter(exposedName(name), describe(name));
      instrument.addCallback((result) => {
        const sample = read();
        if (typeof sample === 'number') result.observe(sample);
        else for (const [value, attributes] of sample) result.observe(value, attributes);
      });
    },
    async text() {
      const { resourceMetrics } = await reader.collect();
      return `${serializer.serialize(resourceMetrics)}\n`;
    },
  };
}

/** Collects only; the internal listener serves the text. */
class Collecting extends MetricReader {
  constructor() {
    super({
      // Reports current values only: otherwise a series that is no longer observed would keep its
      // last value.
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE
          ? AggregationTemporality.DELTA
          : AggregationTemporality.CUMULATIVE,
    });
  }
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

const unitSuffixes: Record<string, string> = { s: '.seconds', By: '.bytes' };

/** Prometheus expects the unit in the name of a metric; this exporter does not add it. */
const exposedName = (name: MetricName): string =>
  `${name}${unitSuffixes[metricDefinitions[name].unit] ?? ''}`;

function describe(name: MetricName) {
  const { unit, description, buckets }: MetricDefinition = metricDefinitions[name];
  return {
    unit,
    description,
    ...(buckets && { advice: { explicitBucketBoundaries: [...buckets] } }),
  };
}
