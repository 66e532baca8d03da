import { readFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { type BusFixture, createBusFixture } from './given-bus.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

const services = ['catalog', 'registration', 'commerce', 'onsite'] as const;
export const rolled = [...services, 'gateway'] as const;
type Rolled = (typeof rolled)[number];

/** What a process is told of the others, when it reaches each of them through its Service. */
function addresses(api: Record<Rolled, RoundRobin>, internal: Record<Rolled, RoundRobin>) {
  const inside = {
    CATALOG_INTERNAL_URL: internal.catalog.url,
    REGISTRATION_INTERNAL_URL: internal.registration.url,
  };
  const notifications = `${api.gateway.url}/payments/notifications/sandbox`;
  return {
    catalog: inside,
    registration: inside,
    commerce: inside,
    onsite: inside,
    gateway: Object.fromEntries(
      services.map((name) => [`${name.toUpperCase()}_URL`, api[name].url]),
    ),
    'payment-sandbox': { NOTIFICATION_URL: notifications },
  };
}

/** The pause between the removal of an endpoint and SIGTERM, as the manifests have it. */
export function preStopMs(): number {
  const file = '../deploy/kubernetes/components/hardened/every-process.yaml';
  const manifest = readFileSync(new URL(file, import.meta.url), 'utf8');
  const [, seconds] = /preStop: \{ sleep: \{ seconds: (\d+) \} \}/.exec(manifest) ?? [];
  if (!seconds) throw new Error('the manifests have no pause before SIGTERM');
  return Number(seconds) * 1000;
}

/** The platform with two replicas of each process; each is reached through the Service of its name. */
export interface ReplicasFixture {
  bus: BusFixture;
  /** Where integrators reach the gateways. */
  url: string;
  /** Ends the replicas of a process and starts them anew, one after the other; each is ready before the next goes. */
  roll(name: Rolled, options: { pauseMs: number }): Promise<void>;
  /** Ends a replica of a process in the same way, but gives it no time to finish, and leaves it so. */
  kill(name: Rolled, pauseMs: number): Promise<void>;
  stop(): Promise<void>;
}

async function serviceEach(): Promise<Record<Rolled, RoundRobin>> {
  const entries = await Promise.all(rolled.map(async (name) => [name, await startRoundRobin()]));
  return Object.fromEntries(entries);
}

export async function createReplicasFixture(): Promise<ReplicasFixture> {
  const [api, internal] = [await serviceEach(), await serviceEach()];
  const common = { DATABASE_POOL_MAX: '5', DRAIN_IDLE_MS: '' };
  const env: Record<string, NodeJS.ProcessEnv> = Object.fromEntries(
    Object.entries(addresses(api, internal)).map(([name, own]) => [name, { ...common, ...own }]),
  );
  const bus = await createBusFixture({ env });
  const { processes, specOf } = bus;
  /** Where each replica serves the API, and what else it serves. */
  const replicas = new Map<string, { apiUrl: string; internalUrl: string }>();

  await Promise.all(
    rolled.map(async (name) => {
      const spec = specOf(name);
      replicas.set(name, {
        apiUrl: `http://127.0.0.1:${spec.env.PORT}`,
        internalUrl: `http://127.0.0.1:${spec.env.INTERNAL_PORT}`,
      });
      const second = await processes.startCopy(spec, `${name} 2`, env[name]);
      replicas.set(`${name} 2`, second);
      for (const replica of [name, `${name} 2`]) admit(name, replica);
    }),
  );

  function urlsOf(replica: string) {
    const urls = replicas.get(replica);
    if (!urls) throw new Error(`there is no ${replica}`);
    return urls;
  }

  function admit(name: Rolled, replica: string): void {
    api[name].add(urlsOf(replica).apiUrl);
    internal[name].add(urlsOf(replica).internalUrl);
  }

  function withdraw(name: Rolled, replica: string): void {
    api[name].withdraw(urlsOf(replica).apiUrl);
    internal[name].withdraw(urlsOf(replica).internalUrl);
  }

  /** Ends one as a roll-out does: no new connection goes there, and after a pause it is told. */
  async function end(name: Rolled, replica: string, pauseMs: number, signal: NodeJS.Signals) {
    // The word of the endpoint's removal takes its time, too.
    await pass(pauseMs / 2);
    withdraw(name, replica);
    await pass(pauseMs / 2);
    await processes.stop(replica, signal);
  }

  return {
    bus,
    url: api.gateway.url,
    async roll(name, { pauseMs }) {
      for (const replica of [name, `${name} 2`]) {
        await end(name, replica, pauseMs, 'SIGTERM');
        await processes.restart(replica);
        admit(name, replica);
      }
    },
    kill: (name, pauseMs) => end(name, name, pauseMs, 'SIGKILL'),
    async stop() {
      for (const service of [...Object.values(api), ...Object.values(internal)]) service.close();
      await bus.stop();
    },
  };
}
