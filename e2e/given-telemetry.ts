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
  };
  const bus = await givenCheckout(Object.fromEntries(processes.map((name) => [name, env])));
  return {
    bus,
    collector,
    /** What each process exports, by its name. */
    async metrics(): Promise<Record<string, string>> {
      const all = Object.entries(bus.internalUrls).map(async ([name, url]) => {
        const response = await fetch(new URL('/metrics', url));
        if (!response.ok) throw new Error(`${name} answered ${response.status}`);
        return [name, await response.text()] as const;
      });
      return Object.fromEntries(await Promise.all(all));
    },
    async stop() {
      await bus.stop();
      await collector.close();
    },
  };
}

export type GivenTelemetry = Awaited<ReturnType<typeof givenTelemetry>>;
