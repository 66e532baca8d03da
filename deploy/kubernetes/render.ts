import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const overlays = ['kind', 'production'] as const;

/** The committed manifests of an overlay. */
export const renderedFile = (overlay: string) =>
  join(import.meta.dirname, 'rendered', `${overlay}.yaml`);

const tools = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/**
 * Renders the manifests of an overlay with kubectl or kustomize. Undefined if neither is on the PATH.
 * Errors: the tool's message when it fails.
 */
export function render(overlay: string): string | undefined {
  for (const [program, command] of tools) {
    const folder = join(import.meta.dirname, 'overlays', overlay);
    const { error, status, stdout, stderr } = spawnSync(program, [command, folder], {
      encoding: 'utf8',
    });
    if (error) continue;
    if (status !== 0) throw new Error(`failed to render ${overlay}: ${stderr}`);
    return stdout;
  }
  return undefined;
}

if (import.meta.main) {
  for (const overlay of overlays) {
    const text = render(overlay);
    if (text === undefined) throw new Error('kubectl or kustomize must be on the PATH');
    writeFileSync(renderedFile(overlay), text);
    console.log(renderedFile(overlay));
  }
}
