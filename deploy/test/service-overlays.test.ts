import { topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { readRendered, render } from '../kubernetes/render.ts';
import { nameOf, parseManifests, sortedByName } from './manifests.ts';

describe('the production overlay of one service', () => {
  test.each(topology)('contains the manifests of $name only', ({ name }) => {
    const own = parseManifests(readRendered('production', name));
    expect(own.map(nameOf)).toEqual(
      expect.arrayContaining([
        `Deployment ${name}`,
        `HorizontalPodAutoscaler ${name}`,
        `Job migrate-${name}`,
        `NetworkPolicy ${name}`,
        `PodDisruptionBudget ${name}`,
        `Service ${name}`,
      ]),
    );
    expect(own.filter(({ metadata }) => metadata.labels?.['event-api/service'] !== name)).toEqual(
      [],
    );
    const rendered = render(`production/${name}`);
    // Also the hashes in the names of jobs are equal.
    if (rendered !== undefined)
      expect(sortedByName(parseManifests(rendered))).toEqual(sortedByName(own));
  });

  test('has no manifest of a service among those that all share', () => {
    const shared = parseManifests(readRendered('production', 'shared'));
    expect(shared.length).toBeGreaterThan(5);
    const ofServices = shared.filter(({ metadata }) =>
      topology.some(({ name }) => metadata.name === name || metadata.name.endsWith(`-${name}`)),
    );
    expect(ofServices.map(nameOf)).toEqual([]);
    const selected = shared.map(({ spec }) => JSON.stringify(spec?.podSelector ?? {}));
    expect(selected.filter((text) => text.includes('app.kubernetes.io/name'))).toEqual([]);
  });
});
