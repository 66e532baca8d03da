import type { MetricDefinition } from '@event-api/contracts/metrics/definition';
import { metricDefinitions } from '@event-api/contracts/metrics/definitions';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
} from '@opentelemetry/sdk-metrics';
import { systemClock } from '../core/clock.ts';
import type { MetricAttributes, MetricName, NameOf } from './attributes.ts';
import { createExemplars, type Exemplars } from './exemplars.ts';
import { type ExpositionFormat, exposition } from './exposition.ts';
import type { TraceContext } from './trace-context.ts';
import { exportedTrace } from './trace-scope.ts';

/**
 * The metrics of one process. Several callers may count under one name; a name is observed by one
 * callback only.
 */
export interface Metrics {
  /** Adds `by`, by default 1. */
  counter<Name extends NameOf<'counter'>>(
    name: Name,
  ): (attributes?: MetricAttributes<Name>, by?: number) => void;
  /**
   * Records a value. Its exemplar is `trace`, by default the current one if it is exported; null
   * for none.
   */
  histogram<Name extends NameOf<'histogram'>>(
    name: Name,
  ): (value: number, attributes: MetricAttributes<Name>, trace?: TraceContext | null) => void;
  /**
   * Calls back at every scrape for the value, or for one value per set of attributes. The callback
   * must be cheap.
   */
  observe<Name extends NameOf<'gauge' | 'observed counter'>>(
    name: Name,
    read: () => number | Iterable<readonly [number, MetricAttributes<Name>]>,
  ): void;
  /** All metrics in a format of Prometheus, by default its text format. */
  text(format?: ExpositionFormat): Promise<string>;
}

export function createMetrics(service: string): Metrics {
  const reader = new Collecting();
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    readers: [reader],
  });
  const meter = provider.getMeter('event-api');
  const exemplarsOf = new Map<string, Exemplars>();
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
      const { buckets = [] }: MetricDefinition = metricDefinitions[name];
      const exemplars = exemplarsOf.get(exposedName(name)) ?? createExemplars(buckets);
      exemplarsOf.set(exposedName(name), exemplars);
      return (value, attributes, trace = exportedTrace()) => {
        histogram.record(value, attributes);
        if (!trace) return;
        const { traceId } = trace;
        exemplars.record({ value, traceId, atMs: systemClock.now().getTime() }, attributes);
      };
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
    async text(format = 'text') {
      const { resourceMetrics } = await reader.collect();
      return exposition(resourceMetrics, {
        format,
        exemplarsOf: (metric, attributes) => exemplarsOf.get(metric)?.of(attributes) ?? [],
      });
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

/** Prometheus expects the unit in the name of a metric. */
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
