import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@event-api/platform/testing/random';
import type { DrillEnvironment } from '../environment/environment.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { processHost, serverHost, type Zone, zoneOf, zones } from '../hosts/layout.ts';
import { type Host, type LinkQuality, outside } from '../hosts/network.ts';
import { clockFaults } from './clocks.ts';
import { allServices, type DrillContext, type Fault, noServices } from './fault.ts';

/** The time until the parts of a cluster notice that one of them is gone. */
const DETECTION_MS = 1500;

/** Only one fault at a time: several could take away more servers than a cluster can lose. */
const target = 'hosts';

function hostsOf({ hosts }: DrillEnvironment): Hosts {
  if (!hosts) throw new Error('the drill has no hosts');
  return hosts;
}

const inZone = ({ network }: Hosts, zone: Zone): Host[] =>
  network.hosts.filter(({ name }) => zoneOf(name) === zone);

const notInZone = ({ network }: Hosts, zone: Zone): Host[] =>
  network.hosts.filter(({ name }) => zoneOf(name) !== zone);

const otherZones = (zone: Zone) => zones.filter((other) => other !== zone);

/**
 * What the control planes do about a zone that is gone: a primary there is replaced, and the hosts
 * elsewhere learn the new one and route no request to the zone.
 */
async function replaceZone(hosts: Hosts, zone: Zone): Promise<void> {
  if (hosts.postgres.primaryZone() === zone) await hosts.postgres.promote();
  await hosts.publish(notInZone(hosts, zone), zone);
}

/** Before the zone returns, a former primary there is stopped. It then becomes a standby. */
async function healAll(hosts: Hosts): Promise<void> {
  await hosts.network.heal();
  await hosts.publish();
  await hosts.postgres.rejoin();
  await hosts.postgres.settle();
}

/** A fault that ends with a network in which all packets arrive, and a whole cluster. */
const networkFault = (
  name: string,
  begin: (hosts: Hosts, context: DrillContext) => Promise<void>,
  affects = allServices,
): Fault => ({
  name,
  target,
  affects,
  lastsMs: 4000,
  begin: (context) => begin(hostsOf(context.environment), context),
  end: ({ environment }) => healAll(hostsOf(environment)),
});

/** Nothing enters or leaves the zone. Its primary keeps running, and no standby confirms its commits. */
const zoneCutOff = (zone: Zone): Fault => {
  const fault = networkFault(`zone ${zone} cut off`, async (hosts) => {
    const { network } = hosts;
    const [inside, elsewhere] = [inZone(hosts, zone), notInZone(hosts, zone)];
    await Promise.all([
      ...inside.map((host) => network.deafen(host, [...elsewhere, outside])),
      ...elsewhere.map((host) => network.deafen(host, inside)),
    ]);
    await delay(DETECTION_MS);
    await replaceZone(hosts, zone);
  });
  return {
    ...fault,
    async end(context) {
      const hosts = hostsOf(context.environment);
      await hosts.postgres.stopReplaced();
      await fault.end(context);
    },
  };
};

/**
 * The zone reaches no other zone, but clients still reach it: reads there come from its own
 * primary until that notices that it is alone and stops, as CloudNativePG's check of isolation does. Only then it is replaced.
 */
const zoneAlone = (
  name: string,
  zone: Zone,
  cut: (hosts: Hosts, inside: Host[], others: Host[]) => Promise<unknown>,
): Fault =>
  networkFault(name, async (hosts) => {
    const others = notInZone(hosts, zone).filter((host) => zoneOf(host.name) !== undefined);
    await cut(hosts, inZone(hosts, zone), others);
    await delay(DETECTION_MS);
    if (hosts.postgres.primaryZone() === zone) await hosts.postgres.killPrimary();
    await replaceZone(hosts, zone);
  });

const deafenAll = ({ network }: Hosts, receivers: readonly Host[], senders: readonly Host[]) =>
  Promise.all(receivers.map((receiver) => network.deafen(receiver, senders)));

const zoneFaults = zones.flatMap((zone): Fault[] => [
  zoneCutOff(zone),
  zoneAlone(`zone ${zone} cut off from the other zones`, zone, (hosts, inside, others) =>
    Promise.all([deafenAll(hosts, inside, others), deafenAll(hosts, others, inside)]),
  ),
  zoneAlone(`zone ${zone} hears no other zone`, zone, deafenAll),
  zoneAlone(`zone ${zone} is heard by no other zone`, zone, (hosts, inside, others) =>
    deafenAll(hosts, others, inside),
  ),
]);

/** The control plane sees both hosts, so nothing is replaced. */
const pairCut = (name: string, isOneWay: boolean): Fault =>
  networkFault(name, async ({ network }, { random }) => {
    const inZones = network.hosts.filter((host) => zoneOf(host.name) !== undefined);
    const [one, other] = random.shuffled(inZones) as [Host, Host];
    await network.deafen(one, [other]);
    if (!isOneWay) await network.deafen(other, [one]);
  });

/** Delay, loss, and where the kernel can do it duplicates and another order. */
const badLinks = (name: string, quality: LinkQuality): Fault =>
  networkFault(name, async (hosts, { random }) => {
    const zone = random.pick(zones);
    await Promise.all(inZone(hosts, zone).map((host) => hosts.network.link(host, quality)));
  });

/** An announced promotion: the old primary sends all its log before it ends. */
const switchedOver = networkFault('postgres switched over', async (hosts) => {
  await hosts.postgres.stopPrimary();
  await hosts.postgres.promote();
  await hosts.publish();
});

const primaryKilled = networkFault('postgres primary killed and replaced', async (hosts) => {
  await hosts.postgres.killPrimary();
  await delay(DETECTION_MS);
  await hosts.postgres.promote();
  await hosts.publish();
});

/**
 * The standbys lose the primary first, and only then the clients do. With synchronous standbys no
 * write is acknowledged in between; with asynchronous ones those writes are lost.
 */
export const standbysLost: Fault = networkFault(
  'postgres standbys cut off before the primary',
  async (hosts) => {
    const { network, postgres } = hosts;
    const primary = postgres.primary();
    const standbys = otherZones(postgres.primaryZone()).map((zone) =>
      network.hostNamed(serverHost(zone)),
    );
    await deafenAll(hosts, standbys, [primary]);
    await delay(2 * DETECTION_MS);
    await postgres.killPrimary();
    await postgres.promote();
    await hosts.publish();
  },
);

const natsLeaderKilled: Fault = (() => {
  let killed: string | undefined;
  return {
    name: 'nats leader killed',
    target,
    affects: noServices,
    lastsMs: 3000,
    async begin({ environment }) {
      killed = await hostsOf(environment).nats.leader();
      await environment.processes.stop(killed, 'SIGKILL');
    },
    async end({ environment }) {
      if (killed) await environment.processes.restart(killed);
    },
  };
})();

/** One process has a wrong clock. Which one depends on the seed. */
const clockOff = (how: 'ahead' | 'behind'): Fault => {
  const candidates = clockFaults.filter(({ name }) => name.endsWith(how));
  let chosen: Fault | undefined;
  const pick = (random: SeededRandom) => {
    chosen = random.pick(candidates);
    return chosen;
  };
  return {
    name: `a clock four minutes ${how}`,
    target,
    affects: allServices,
    isGraceful: true,
    lastsMs: 3000,
    begin: (context) => pick(context.random).begin(context),
    end: async (context) => chosen?.end(context),
  };
};

/** The hosts of the processes of a zone lose its servers: what they share with them is elsewhere. */
const zoneSplit: Fault = networkFault('processes cut off from the primary', async (hosts) => {
  const primary = hosts.postgres.primary();
  const [zone = 'a'] = otherZones(hosts.postgres.primaryZone());
  const processes = hosts.network.hostNamed(processHost(zone));
  await hosts.network.deafen(primary, [processes]);
  await hosts.network.deafen(processes, [primary]);
});

export const partitionFaults: readonly Fault[] = [
  ...zoneFaults,
  pairCut('two hosts cut off from each other', false),
  pairCut('one host does not hear another', true),
  zoneSplit,
  badLinks('a zone with slow links', 'slow'),
  badLinks('a zone with links that lose packets', 'lossy'),
  switchedOver,
  primaryKilled,
  standbysLost,
  natsLeaderKilled,
  clockOff('ahead'),
  clockOff('behind'),
];
