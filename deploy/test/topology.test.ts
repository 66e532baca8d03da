import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { containerPorts, topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { overlays } from '../kubernetes/render.ts';
import { root } from './image-tree.ts';
import { manifestsOf, nameOf } from './manifests.ts';

const load = (file: string) => parse(readFileSync(join(root, file), 'utf8'), { merge: true });

const manifests = ({ name, migrates }: (typeof topology)[number]): string[] => [
  `Deployment ${name}`,
  `Service ${name}`,
  `NetworkPolicy ${name}`,
  ...(migrates ? [`Job migrate-${name}`] : []),
];

/**
 * The files that list the processes, what each must contain for a process, and what it contains.
 */
const files: Record<
  string,
  { expected: (each: (typeof topology)[number]) => string[]; found: string[] }
> = {
  'docker-compose.yml': {
    expected: ({ name, migrates }) => [name, ...(migrates ? [`migrate-${name}`] : [])],
    found: Object.keys(load('docker-compose.yml').services),
  },
  'deploy/kubernetes/base/kustomization.yaml': {
    expected: ({ name }) => [name],
    found: load('deploy/kubernetes/base/kustomization.yaml').resources,
  },
  'deploy/kubernetes/overlays/production/kustomization.yaml': {
    expected: ({ name }) => [name],
    found: load('deploy/kubernetes/overlays/production/kustomization.yaml').resources,
  },
  ...Object.fromEntries(
    overlays.map((overlay) => [
      `deploy/kubernetes/rendered/${overlay}`,
      {
        expected: manifests,
        found: manifestsOf(overlay).map(nameOf),
      },
    ]),
  ),
  'the Prometheus targets in docker-compose.yml': {
    expected: ({ name }) => [`${name}:${containerPorts.internal} as ${name}`],
    found: JSON.parse(load('docker-compose.yml').configs['prometheus-targets'].content).map(
      ({ targets, labels }: { targets: string[]; labels: { service: string } }) =>
        `${targets.join()} as ${labels.service}`,
    ),
  },
};

describe.each(Object.entries(files))('%s', (file, { expected, found }) => {
  test.each(topology)('contains $name', (each) => {
    const missing = expected(each).filter((entry) => !found.includes(entry));
    expect(missing.map((entry) => `${file} has no ${entry} of process ${each.name}`)).toEqual([]);
  });
});

test('lists every service that has an entry point', () => {
  const folders = globSync('services/*/src/main.ts', { cwd: root }).map((file) =>
    dirname(dirname(file)),
  );
  const listed = topology.map(({ folder }) => folder);
  expect(folders.filter((folder) => !listed.includes(folder))).toEqual([]);
  expect(listed.filter((folder) => !existsSync(join(root, folder, 'src/main.ts')))).toEqual([]);
});
