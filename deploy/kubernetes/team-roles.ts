import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { splitManifests } from './release.ts';
import { readRendered } from './render.ts';

/** The group of people and pipelines that release a process. */
export const teamOf = (process: string): string => `team-${process}`;

/** The resources of the kinds that a release changes under a fixed name, with their API groups. */
const resources: Readonly<Record<string, { group: string; resource: string }>> = {
  Deployment: { group: 'apps', resource: 'deployments' },
  HorizontalPodAutoscaler: { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
  HTTPRoute: { group: 'gateway.networking.k8s.io', resource: 'httproutes' },
  NetworkPolicy: { group: 'networking.k8s.io', resource: 'networkpolicies' },
  PodDisruptionBudget: { group: 'policy', resource: 'poddisruptionbudgets' },
  Service: { group: '""', resource: 'services' },
};

/** The names that a team may change, by kind, in alphabetical order. */
export function changeableNames(process: string): Map<string, string[]> {
  const names = Map.groupBy(
    splitManifests(readRendered('production', process)),
    ({ kind }) => kind,
  );
  return new Map(
    Object.keys(resources).flatMap((kind) => {
      const found = names.get(kind)?.map(({ name }) => name) ?? [];
      return found.length > 0 ? [[kind, found.toSorted()] as const] : [];
    }),
  );
}

const roleFile = join(import.meta.dirname, 'teams/roles.yaml');

/** People of a team, and the ServiceAccounts in the namespace of its pipelines. */
const subjectsOf = (process: string): string[] =>
  [teamOf(process), `system:serviceaccounts:${teamOf(process)}`].flatMap((group) => [
    '  - kind: Group',
    '    apiGroup: rbac.authorization.k8s.io',
    `    name: ${group}`,
  ]);

const bindingOf = (role: string, subjects: string[]): string[] => [
  'apiVersion: rbac.authorization.k8s.io/v1',
  'kind: RoleBinding',
  'metadata:',
  `  name: ${role}`,
  `roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${role} }`,
  'subjects:',
  ...subjects,
];

const roleOf = (process: string): string[] => [
  'apiVersion: rbac.authorization.k8s.io/v1',
  'kind: Role',
  'metadata:',
  `  name: ${teamOf(process)}`,
  'rules:',
  ...[...changeableNames(process)].flatMap(([kind, names]) => {
    const { group, resource } = resources[kind] ?? { group: '', resource: '' };
    return [
      `  - apiGroups: [${group}]`,
      `    resources: [${resource}]`,
      `    resourceNames: [${names.join(', ')}]`,
      '    verbs: [patch]',
    ];
  }),
];

/** The Roles of all teams and their bindings, as the file `teams/roles.yaml` has them. */
export function teamRoles(): string {
  const names = topology.map(({ name }) => name);
  const documents = [
    ...names.flatMap((name) => [roleOf(name), bindingOf(teamOf(name), subjectsOf(name))]),
    bindingOf('every-team', names.flatMap(subjectsOf)),
  ];
  const head = '# Written by team-roles.ts from the rendered manifests of production.\n';
  return head + documents.map((lines) => `${lines.join('\n')}\n`).join('---\n');
}

if (import.meta.main) writeFileSync(roleFile, teamRoles());
