import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentTime } from '@event-api/provisioning/backup/clock';
import { namespaceOf, splitManifests } from '../release.ts';
import { renderFolder } from '../render.ts';
import { type Arguments, parseArguments, UsageError } from './arguments.ts';
import { filesOf, listOf, type Restore } from './component.ts';
import { nextName, type RenderedServer, serversIn } from './servers.ts';
import { stepsAfter } from './steps.ts';

/** The line of a kustomization that adds the restored servers; at first it is a comment. */
const LINE = /^( *)(?:# )?(- \.\.\/restored)$/m;

const say = (line: string) => console.log(line);

/** The folder of an overlay with its PostgreSQL servers. */
function serversFolder(overlayFolder: string): string {
  const read = readFileSync(join(overlayFolder, 'kustomization.yaml'), 'utf8');
  const [, folder] = /^ +- (servers(?:-per-process)?)$/m.exec(read) ?? [];
  if (folder === undefined) throw new UsageError(`${overlayFolder} has no PostgreSQL servers`);
  return folder;
}

function chooseServers(
  servers: readonly RenderedServer[],
  { overlay, processes }: Arguments,
): RenderedServer[] {
  if (processes === 'each') {
    const own = servers.filter(({ process }) => process !== undefined);
    if (own.length === 0) throw new UsageError(`no process of ${overlay} has its own server`);
    return own;
  }
  const names = processes.length === 0 ? [undefined] : processes;
  return names.map((name) => {
    const found = servers.find(({ process }) => process === name);
    if (found) return found;
    const own = servers.flatMap(({ process }) => process ?? []);
    throw new UsageError(
      name === undefined
        ? `no server of ${overlay} is shared: name processes, or each`
        : `${name} has no server of its own in ${overlay}; ${own.join(', ') || 'all processes share one'}`,
    );
  });
}

/** Writes the component of one server, instead of that of an earlier restore. */
function writeComponent(restored: string, restore: Restore): void {
  const folder = join(restored, restore.server.baseName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(filesOf(restore)))
    writeFileSync(join(folder, file), content);
}

function main(parsed: Arguments): void {
  const kubernetes = parsed.folder ?? join(import.meta.dirname, '..');
  const overlay = join(kubernetes, 'overlays', parsed.overlay);
  if (!existsSync(join(overlay, 'kustomization.yaml')))
    throw new UsageError(`there is no overlay ${parsed.overlay}`);
  const folder = serversFolder(overlay);
  const kustomization = join(overlay, folder, 'kustomization.yaml');
  const text = readFileSync(kustomization, 'utf8');
  if (!LINE.test(text)) throw new UsageError(`${kustomization} lacks the line - ../restored`);
  const rendered = renderFolder(join(overlay, folder));
  if (rendered === undefined) throw new UsageError('kubectl or kustomize must be on the PATH');
  const restores = chooseServers(serversIn(splitManifests(rendered)), parsed).map(
    (server): Restore => ({
      server,
      name: nextName(server),
      archive: parsed.from ?? server.archive,
      to: parsed.to,
    }),
  );
  const restored = join(overlay, 'restored');
  for (const restore of restores) writeComponent(restored, restore);
  const folders = readdirSync(restored, { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  writeFileSync(
    join(restored, 'kustomization.yaml'),
    listOf(folders.map(({ name }) => name).toSorted()),
  );
  writeFileSync(kustomization, text.replace(LINE, '$1$2'));
  const namespace = namespaceOf(rendered);
  const written = { overlay: parsed.overlay, namespace, folder, restored };
  for (const line of stepsAfter(restores, written)) say(line);
}

try {
  main(parseArguments(process.argv.slice(2), currentTime()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
