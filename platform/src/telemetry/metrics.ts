import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  type MetricAttributes,
  type MetricDefinition,
  type MetricName,
  metricDefinitions,
  type NameOf,
} from './attributes.ts';

/** One process's metrics. Several may count under one name; only one may say what is observed. */
export interface Metrics {
  /** Counts `by`, by default one. */
  counter<Name extends NameOf<'counter'>>(
    name: Name,
  ): (attributes?: MetricAttributes<Name>, by?: number) => void;
  histogram<Name extends NameOf<'histogram'>>(
    name: Name,
  ): (value: number, attributes: MetricAttributes<Name>) => void;
  /** Asks for the value, or for one per attributes, whenever somebody looks. It must be cheap. */
  observe<Name extends NameOf<'gauge' | 'observed counter'>>(
    name: Name,
    read: () => number | Iterable<readonly [number, MetricAttributes<Name>]>,
  ): void;
  /** All of it in Prometheus's text format. */
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
      // There from the start, or the first one would be no increase.
      if (metricDefinitions[name].attributes.length === 0) counter.add(0);
      return (attributes, by = 1) => counter.add(by, attributes);
    },
    histogram(name) {
      const histogram = meter.createHistogram(exposedName(name), describe(name));
      return (value, attributes) => histogram.record(value, attributes);
    },
    observe(name, read) {
      if (observed.has(name)) throw new Error(`${name} is observed already`);
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

/** Only collects; it is our own listener that serves what it has collected. */
class Collecting extends MetricReader {
  constructor() {
    super({
      // Told as it is now: a series that is not observed any more would else stay at its last value for ever.
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

/** Prometheus wants the unit in a metric's name, and this exporter does not put it there. */
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
