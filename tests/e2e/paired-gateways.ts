import type { HttpClient } from '@event-api/platform/testing/http-client';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import { relaxedTimeouts } from './fixtures/checkout.ts';

/** The platform with two gateways. Each has its own replicas of catalog and registration. */
export interface PairedGateways {
  bus: BusFixture;
  unitId: string;
  /** Returns a client of this URL with the key of the business unit. */
  at(url: string): HttpClient;
  /** Returns a client of the gateway for this turn. Consecutive turns use different gateways. */
  gateway(turn: number): HttpClient;
}

/** Starts the gateways. `switches` enables switches per process from its start. */
export async function startPairedGateways({
  switches = relaxedTimeouts,
} = {}): Promise<PairedGateways> {
  const bus = await createBusFixture({ switches });
  const { processes, specOf } = bus;
  const catalog = await processes.startCopy(specOf('catalog'), 'catalog 2', {
    TEST_SWITCHES: switches.catalog,
  });
  const registration = await processes.startCopy(specOf('registration'), 'registration 2', {
    TEST_SWITCHES: switches.registration,
    CATALOG_INTERNAL_URL: catalog.internalUrl,
  });
  const second = await processes.startCopy(specOf('gateway'), 'gateway 2', {
    TEST_SWITCHES: switches.gateway,
    CATALOG_URL: catalog.apiUrl,
    REGISTRATION_URL: registration.apiUrl,
  });
  const { unitId, at } = await bus.newUnit();
  const gateways = [bus.gatewayUrl, second.apiUrl].map(at);
  return {
    bus,
    unitId,
    at,
    gateway(turn) {
      const client = gateways[turn % gateways.length];
      if (!client) throw new Error('no gateway');
      return client;
    },
  };
}
