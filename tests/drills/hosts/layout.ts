import { apiProcessNames, type ProcessName } from '@event-api/contracts/topology';
import { replicasOf } from '@event-api/test-support/replicas';

export const zones = ['a', 'b', 'c'] as const;
export type Zone = (typeof zones)[number];

/** Each zone has a host for servers and one for processes. */
export const serverHost = (zone: Zone): string => `${zone}-servers`;
export const processHost = (zone: Zone): string => `${zone}-processes`;

/** The payment provider is in no zone. */
export const providerHost = 'provider';

export const hostNames: readonly string[] = [
  ...zones.flatMap((zone) => [serverHost(zone), processHost(zone)]),
  providerHost,
];

/** The zone of a host. Undefined for the provider. */
export const zoneOf = (host: string): Zone | undefined =>
  zones.find((zone) => host.startsWith(`${zone}-`));

/** Redis has one server. */
export const redisZone: Zone = 'c';

/** The zones of the two replicas of a process. They differ, and each zone has as many replicas. */
export function zonesOfReplicas(name: ProcessName): [Zone, Zone] {
  const index = apiProcessNames.indexOf(name);
  const zoneAt = (at: number) => zones[at % zones.length] as Zone;
  return [zoneAt(index), zoneAt(index + 1)];
}

/** The host of each process of the platform, replicas included, by the name of the replica. */
export const hostOfReplica: Readonly<Record<string, string>> = {
  'payment-sandbox': providerHost,
  ...Object.fromEntries(
    apiProcessNames.flatMap((name) => {
      const on = zonesOfReplicas(name).map(processHost);
      return replicasOf(name).map((replica, number) => [replica, on[number] as string]);
    }),
  ),
};
