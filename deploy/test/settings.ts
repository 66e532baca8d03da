import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Process, urlSettingsOf } from '@event-api/contracts/topology';
import { root } from './image-tree.ts';

const namesIn = (file: string): string[] => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^ +([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? '');
};

/**
 * The settings that a process reads: those of every process, those of the topology, and its own.
 */
export const settingsOf = (process: Process): ReadonlySet<string> =>
  new Set([
    ...namesIn('platform/src/core/config.ts'),
    ...namesIn(`${process.folder}/src/config.ts`),
    ...(process.servers.includes('nats') ? ['NATS_URL'] : []),
    ...urlSettingsOf(process),
  ]);
