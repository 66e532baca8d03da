import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { initialise } from '../compose/init.ts';

/**
 * The Secrets of the overlay `kind`, as one List of manifests. The first call generates their content and stores it in
 * `folder`. In production an organization creates these Secrets from its own secret store.
 */
export function secretManifests(folder: string): object {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  initialise(folder);
  const { CALLER_PUBLIC_KEYS = '' } = settingsIn(join(folder, 'gateway'));
  const own = readdirSync(folder).map((name) => secret(name, contentOf(join(folder, name))));
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [...own, secret('callers', { CALLER_PUBLIC_KEYS })],
  };
}

function secret(name: string, stringData: Record<string, string | undefined>) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `event-api-${name}`, namespace: 'event-api' },
    stringData,
  };
}

/** Each setting of process.env becomes a key; other files become keys with their content. */
function contentOf(folder: string): Record<string, string | undefined> {
  const names = readdirSync(folder);
  if (names.includes('process.env')) return settingsIn(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const settingsIn = (folder: string) =>
  parseEnv(readFileSync(join(folder, 'process.env'), 'utf8')) as Record<string, string | undefined>;

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  console.log(JSON.stringify(secretManifests(positionals[0] ?? '.data/kubernetes'), null, 2));
}
