import { startCollector } from '@event-api/platform/testing/collector';
import { eventually } from '@event-api/platform/testing/eventually';
import type { Written } from './find-leaks.ts';
import { createCheckoutFixture } from './given-checkout.ts';

const processes = ['gateway', 'catalog', 'registration', 'commerce', 'onsite', 'payment-sandbox'];

/** The platform with every trace recorded by a collector, and whatever its processes can write down. */
export async function createTelemetryFixture() {
  const collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TELEMETRY_SAMPLE_RATIO: '1',
    LOG_LEVEL: 'trace',
    LOOK_EVERY_MS: '200',
  };
  const bus = await createCheckoutFixture(Object.fromEntries(processes.map((name) => [name, env])));

  async function metricsOf(name: string): Promise<string> {
    const response = await fetch(new URL('/metrics', bus.internalUrls[name]));
    if (!response.ok) throw new Error(`${name} answered ${response.status}`);
    return response.text();
  }

  /** Samples of a process by their name and labels, as they are written. */
  async function samplesOf(name: string): Promise<Map<string, number>> {
    const lines = (await metricsOf(name)).split('\n');
    return new Map(
      lines
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => {
          const at = line.lastIndexOf(' ');
          return [line.slice(0, at), Number(line.slice(at + 1))];
        }),
    );
  }

  return {
    bus,
    collector,
    metricsOf,
    samplesOf,
    /** How much the samples of a process have grown while `work` was done. */
    async growthOf(
      name: string,
      work: () => Promise<unknown>,
    ): Promise<(sample: string) => number> {
      const before = await samplesOf(name);
      await work();
      const after = await samplesOf(name);
      return (sample) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
    },
    /** Waits until a sample is there and `matches` takes its value. */
    becomes: (name: string, sample: string, matches: (value: number) => void): Promise<void> =>
      eventually(async () => {
        const value = (await samplesOf(name)).get(sample);
        if (value === undefined) throw new Error(`${sample} is not there`);
        matches(value);
      }),
    /** Everything that the processes have let out until now. */
    async written(): Promise<Written[]> {
      const names = Object.keys(bus.internalUrls);
      const metrics = names.map(async (name) => ({
        where: `the metrics of ${name}`,
        text: await metricsOf(name),
      }));
      return [
        ...bus.logLines().map((text) => ({ where: 'a log', text })),
        ...collector.bodies.map((text) => ({ where: 'a span', text })),
        ...(await Promise.all(metrics)),
      ];
    },
    /** What each process exports, by its name. */
    async metrics(): Promise<Record<string, string>> {
      const names = Object.keys(bus.internalUrls);
      const all = names.map(async (name) => [name, await metricsOf(name)] as const);
      return Object.fromEntries(await Promise.all(all));
    },
    async stop() {
      await bus.stop();
      await collector.close();
    },
  };
}

export type TelemetryFixture = Awaited<ReturnType<typeof createTelemetryFixture>>;
