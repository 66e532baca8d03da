import { readFileSync } from 'node:fs';
import {
  type Capacity,
  operations,
  readCapacity,
} from '@event-api/deploy/kubernetes/scale/capacity';
import { expect, test } from 'vitest';
import { scalePage, withFigures } from './capacity-page.ts';

const page = readFileSync(scalePage, 'utf8');

test('docs/scale.md shows the recorded figures', () => {
  expect(page).toBe(withFigures(page, readCapacity()));
});

test('a page without a mark is rejected', () => {
  expect(() => withFigures('# Scale', readCapacity())).toThrow('has no marks for run');
});

test('the tables follow from the figures', () => {
  const costs = {
    cpuMicros: { gateway: 500, commerce: 2000, postgres: 4000, onsite: 100 },
    walBytes: 20_000,
    diskBytes: 10_000,
  };
  const capacity: Capacity = {
    measuredAt: '2026-01-02',
    machine: 'two processors',
    operations: Object.fromEntries(
      operations.map((name) => [name, name === 'read' ? { ...costs, walBytes: 0 } : costs]),
    ) as unknown as Capacity['operations'],
    cpuSecondsUntilReady: {},
    knees: {
      registration: {
        process: 'registration',
        steps: [{ connections: 16, perSecond: 1234, cores: 0.5, p50Ms: 6.25, p99Ms: 20 }],
      },
    },
  };
  const text = withFigures(page, capacity).replaceAll(/ +\|/g, ' |');
  expect(text).toContain('Measured on 2026-01-02, two processors.');
  expect(text).toMatch(/\| `commerce` \| paid order \| \d+\/s \| \d+\/s \| 500\/s \|/);
  // 8 cores do 1,200 in 4 ms each; 150 MB/s are 7,500 of 20 kB, as 50 cores at 60 % do.
  expect(text).toContain('| paid order | 1,200/s | 4,800/s | 7,500/s | 50 cores |');
  expect(text).not.toMatch(/\| read of an event \| 1,200/);
  expect(text).toContain(
    '| registration | 16 | `registration` 0.50 | 1,200/s | 6.25 ms | 20.0 ms |',
  );
  // Ten reads, one order, four rows of its changes and one of the check-in, and a check-in.
  expect(text).toContain('| CPU of PostgreSQL | 18.9 hours of one core |');
  expect(text).toContain('"PostgreSQL" : 68.0');
});
