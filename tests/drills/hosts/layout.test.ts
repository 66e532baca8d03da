import { apiProcessNames } from '@event-api/contracts/topology';
import { expect, test } from 'vitest';
import { hostNames, hostOfReplica, zoneOf, zones, zonesOfReplicas } from './layout.ts';

test('the loss of a zone leaves a replica of each process', () => {
  for (const name of apiProcessNames) {
    const [one, other] = zonesOfReplicas(name);
    expect(one, name).not.toBe(other);
  }
});

test('each replica has a host, and each zone has as many replicas', () => {
  const used = Object.values(hostOfReplica);
  expect(hostNames).toEqual(expect.arrayContaining(used));
  const counts = zones.map((zone) => used.filter((host) => zoneOf(host) === zone).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});
