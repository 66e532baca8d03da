import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const overlays = ['kind', 'production'] as const;

/** Committed renderings, and the folder of each. Those of an overlay have its name. */
const renderings: Record<string, string> = {
  kind: 'kind',
  production: 'production',
  'servers-per-process': 'production/servers-per-process',
};

const folderOf = (overlay: string) => join(import.meta.dirname, 'rendered', overlay);

/**
 * The committed manifests of an overlay: one file for each process, and one for what they share.
 * With `service` only those of its file.
 */
export const readRendered = (overlay: string, service?: string): string =>
  readdirSync(folderOf(overlay))
    .filter((file) => service === undefined || file === `${service}.yaml`)
    .map((file) => readFileSync(join(folderOf(overlay), file), 'utf8'))
    .join('---\n');

const tools = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/**
 * Renders the manifests of an overlay, or of one of its folders (`production/onsite`), with kubectl
 * or kustomize. Undefined if neither is on the PATH.
 * Errors: the tool's message when it fails.
 */
export const render = (overlay: string): string | undefined =>
  renderFolder(join(import.meta.dirname, 'overlays', overlay));

/** Like `render`, for the path of any folder with a kustomization. */
export function renderFolder(folder: string): string | undefined {
  for (const [program, command] of tools) {
    const { error, status, stdout, stderr } = spawnSync(program, [command, folder], {
      encoding: 'utf8',
    });
    if (error) continue;
    if (status !== 0) throw new Error(`failed to render ${folder}: ${stderr}`);
    return stdout;
  }
  return undefined;
}

/** The file of a manifest: that of the service whose base or overlay it is from. */
function fileOf(manifest: string): string {
  const [, service = 'shared'] = /^ {4}event-api\/service: (\S+)$/m.exec(manifest) ?? [];
  return `${service}.yaml`;
}

if (import.meta.main) {
  for (const [overlay, folder] of Object.entries(renderings)) {
    const text = render(folder);
    if (text === undefined) throw new Error('kubectl or kustomize must be on the PATH');
    rmSync(folderOf(overlay), { recursive: true, force: true });
    mkdirSync(folderOf(overlay), { recursive: true });
    for (const [file, manifests] of Map.groupBy(text.trimEnd().split('\n---\n'), fileOf)) {
      writeFileSync(join(folderOf(overlay), file), `${manifests.join('\n---\n')}\n`);
    }
    console.log(folderOf(overlay));
  }
}
