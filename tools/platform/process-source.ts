import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Process, topology } from '@event-api/contracts/topology';
import { root } from '../settings/settings.ts';
import { settingsOf } from './process-settings.ts';

/** A tree of sources from which processes are started. */
export interface ProcessSource {
  /** Its folder, with installed packages. */
  root: string;
  /** The processes of this tree. */
  topology: readonly Process[];
  /** The settings that this tree gives a process. */
  settingsOf: typeof settingsOf;
}

/** The sources of this repository. */
export const currentSource: ProcessSource = { root, topology, settingsOf };

/** Another release in a folder. Errors: the folder has no topology or no settings. */
export async function loadSource(folder: string): Promise<ProcessSource> {
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const declared = await load('contracts/src/topology.ts');
  const settings = await load('tools/platform/process-settings.ts');
  return { root: folder, topology: declared.topology, settingsOf: settings.settingsOf };
}
