import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { readRendered } from '../kubernetes/render.ts';
import { changeableNames, teamRoles } from '../kubernetes/team-roles.ts';
import { root } from './image-tree.ts';
import { type Manifest, nameOf, parseManifests } from './manifests.ts';

const folder = join(root, 'deploy/kubernetes/teams');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

test('the Roles are those of the rendered manifests', () => {
  expect(read('roles.yaml')).toBe(teamRoles());
});

/** The Secrets that the pods of a manifest use, without the authorities of servers. */
function secretsOf({ spec }: Manifest): string[] {
  const { containers = [], volumes = [] } = spec.template?.spec ?? {};
  const ofEnv = containers.flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
  );
  const ofVolumes = volumes.flatMap(({ secret }) => secret?.secretName ?? []);
  return [...new Set([...ofEnv, ...ofVolumes])].toSorted();
}

/** What the policy adds for single services: `'commerce': ['event-api-payments']`. */
const ownSecrets = new Map(
  [...read('policy.yaml').matchAll(/^ +'([a-z]+)': \['([^\]]+)'\],?$/gm)].map(
    ([, service = '', list = '']) => [service, list.split("', '")],
  ),
);

describe.each(topology)('the team of $name', ({ name }) => {
  const manifests = parseManifests(readRendered('production', name));

  test('may change every object of its service, and has no name for its job', () => {
    const changeable = [...changeableNames(name)].flatMap(([kind, names]) =>
      names.map((each) => `${kind} ${each}`),
    );
    const rest = manifests.map(nameOf).filter((each) => !changeable.includes(each));
    expect(rest).toEqual([`Job migrate-${name}`]);
    expect(changeable).toHaveLength(manifests.length - 1);
  });

  test('may give its pods the Secrets of the manifests, and no other', () => {
    const used = (kind: string) => manifests.filter((each) => each.kind === kind).map(secretsOf);
    const process = [`event-api-${name}`, 'event-api-callers', ...(ownSecrets.get(name) ?? [])];
    expect(used('Deployment')).toEqual([process.toSorted()]);
    expect(used('Job')).toEqual([[`event-api-${name}-owner`]]);
  });
});
