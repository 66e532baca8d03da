import { startCollector } from '@event-api/platform/testing/collector';
import { givenCheckout } from './given-checkout.ts';

const processes = ['gateway', 'catalog', 'registration', 'commerce', 'onsite', 'payment-sandbox'];

/** The platform with every trace recorded by a collector, and whatever its processes can write down. */
export async function givenTelemetry() {
  const collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TELEMETRY_SAMPLE_RATIO: '1',
    LOG_LEVEL: 'trace',
    LOOK_EVERY_MS: '200',
  };
  const bus = await givenCheckout(Object.fromEntries(processes.map((name) => [name, env])));

  async function metricsOf(name: string): Promise<string> {
    const response = await fetch(new URL('/metrics', bus.internalUrls[name]));
    if (!response.ok) throw new Error(`${name} answered ${response.status}`);
    return response.text();
  }

  return {
    bus,
    collector,
    metricsOf,
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

export type GivenTelemetry = Awaited<ReturnType<typeof givenTelemetry>>;
