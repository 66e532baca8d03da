import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { topology } from '../topology.ts';
import { root } from './image-tree.ts';
import { manifestsOf } from './manifests.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

type Parameters = Record<string, string>;

/** Of `-c name=value` among the words of a command. */
const parametersOf = (words: string[] = []): Parameters =>
  Object.fromEntries(words.filter((word) => word.includes('=')).map((word) => word.split('=')));

const ofCompose = (file: string) =>
  parametersOf(parse(read(file), { merge: true }).services.postgres.command);

const ofKind = () => {
  const server = manifestsOf('kind').find(
    ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'postgres',
  );
  return parametersOf(server?.spec.template?.spec.containers[0]?.args);
};

/** What deploy/README.md has operators of production set. */
const ofProduction = (): Parameters => {
  const [, block = ''] = /```yaml\n(postgresql:\n[^`]*)```/.exec(read('deploy/README.md')) ?? [];
  return parse(block).postgresql.parameters;
};

const servers: Record<string, Parameters> = {
  'docker-compose.yml': ofCompose('docker-compose.yml'),
  'deploy/compose/servers.yaml': ofCompose('deploy/compose/servers.yaml'),
  kind: ofKind(),
  production: ofProduction(),
};

test.each(Object.entries(servers))(
  'PostgreSQL of %s logs no statements or rows',
  (name, parameters) => {
    expect(parameters).toMatchObject({
      log_min_error_statement: 'panic',
      log_error_verbosity: 'terse',
    });
    // As CSV it logs rows however terse it is, so the lines of refused statements have to stay away as a whole.
    if (name === 'production') expect(parameters.log_min_messages).toBe('log');
  },
);

describe.each(['kind', 'production'])('PostgreSQL of overlay %s', (overlay) => {
  const manifests = manifestsOf(overlay);
  const find = (kind: string, name: string) =>
    manifests.find((each) => each.kind === kind && each.metadata.name === name)?.spec;
  /** Migrations, operators, and what PostgreSQL and its operator keep for themselves. */
  const OTHERS = 20;
  /** It asks which process of its service leads. */
  const LEADERSHIP = 1;

  function mostOf(name: string): number {
    const deployment = find('Deployment', name);
    const env = deployment?.template?.spec.containers[0]?.env ?? [];
    const pool = env.find((each) => each.name === 'DATABASE_POOL_MAX')?.value;
    const pods = find('HorizontalPodAutoscaler', name)?.maxReplicas;
    const surge = deployment?.strategy?.rollingUpdate?.maxSurge;
    return (Number(pods) + Number(surge)) * (Number(pool) + LEADERSHIP);
  }

  test('has connections for as many pods as there may ever be, in a roll-out, too', () => {
    const most = topology.map(({ name }) => mostOf(name)).reduce((sum, each) => sum + each, 0);
    expect(most).toBeGreaterThan(100);
    expect(most + OTHERS).toBeLessThanOrEqual(Number(servers[overlay]?.max_connections));
    // The number that the page reasons with.
    if (overlay === 'production') expect(read('deploy/README.md')).toContain(`makes ${most};`);
  });
});
