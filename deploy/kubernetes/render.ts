import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const overlays = ['kind', 'production'] as const;

/** What is committed for an overlay. */
export const renderedFile = (overlay: string) =>
  join(import.meta.dirname, 'rendered', `${overlay}.yaml`);

const tools = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/** The manifests of an overlay, by kubectl or kustomize from the PATH. Undefined where neither is there.
 *  Errors: what the tool says of files that it cannot put together. */
export function render(overlay: string): string | undefined {
  for (const [program, command] of tools) {
    const folder = join(import.meta.dirname, 'overlays', overlay);
    const { error, status, stdout, stderr } = spawnSync(program, [command, folder], {
      encoding: 'utf8',
    });
    if (error) continue;
    if (status !== 0) throw new Error(`${overlay} cannot be rendered: ${stderr}`);
    return stdout;
  }
  return undefined;
}

if (import.meta.main) {
  for (const overlay of overlays) {
    const text = render(overlay);
    if (text === undefined) throw new Error('kubectl or kustomize has to be on the PATH');
    writeFileSync(renderedFile(overlay), text);
    console.log(renderedFile(overlay));
  }
}
