import { watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import type { ChildSpec, ObservableSupervisor } from '@event-api/local-servers/supervise';
import { root } from '../settings/settings.ts';

/** Where a debugger attaches to the process that `npm run dev -- <name>` names. */
const inspectorAddress = '127.0.0.1:9229';
/** Editors write a file in several steps; a checkout writes many files. */
const settleMs = 50;

/** The processes that are restarted when their sources change. */
export interface Watch {
  names: readonly string[];
  /** The process that a debugger can attach to, if one was named. */
  inspected: string | null;
}

/**
 * Reads the arguments of `npm run dev`: `--watch` restarts each process, `--watch <name>` one
 * process, which also listens for a debugger. Returns null without `--watch`. Errors: no process
 * has this name.
 */
export function readWatch(words: readonly string[]): Watch | null {
  const [flag, name] = words;
  if (flag !== '--watch') return null;
  const names = topology.map((each) => each.name as string);
  if (name === undefined) return { names, inspected: null };
  if (names.includes(name)) return { names: [name], inspected: name };
  throw new Error(`there is no process ${name}: choose one of ${names.join(', ')}`);
}

/** Opens the debugger's port of the named process. */
export function inspected(watch: Watch | null, spec: ChildSpec): ChildSpec {
  if (watch === null || spec.name !== watch.inspected) return spec;
  return { ...spec, env: { ...spec.env, NODE_OPTIONS: `--inspect=${inspectorAddress}` } };
}

/**
 * Restarts a process when a file of its sources, or of the code that all processes share, changes.
 */
export function restartOnChange(watch: Watch, deps: RestartDeps): void {
  const { supervisor, say, signal } = deps;
  const due = new Set<string>();
  const restartDue = () => {
    const restarts = [...due].map((name) => {
      say(`restarting ${name}`);
      return supervisor.restart(name);
    });
    due.clear();
    deps.onRestart(Promise.all(restarts));
  };
  const onChange = (names: readonly string[]) => (_event: string, file: string | null) => {
    if (file === null || !/\.(ts|json)$/.test(file) || file.endsWith('.test.ts')) return;
    if (due.size === 0) setTimeout(restartDue, settleMs);
    for (const name of names) due.add(name);
  };
  const options = { recursive: true, signal };
  for (const folder of ['contracts/src', 'rules/src', 'platform/src']) {
    watchFolder(join(root, folder), options, onChange(watch.names));
  }
  for (const { name, folder } of topology.filter((each) => watch.names.includes(each.name))) {
    watchFolder(join(root, folder, 'src'), options, onChange([name]));
  }
  say(`watching the sources of ${watch.names.join(', ')}`);
  if (watch.inspected) say(`${watch.inspected} accepts a debugger at ${inspectorAddress}`);
}

interface RestartDeps {
  supervisor: ObservableSupervisor;
  say: (line: string) => void;
  /** Called with each restart, which others notice until it ends. */
  onRestart: (ended: Promise<unknown>) => void;
  signal: AbortSignal;
}
