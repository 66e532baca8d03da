import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { overlays, readRendered, renderFolder } from '../kubernetes/render.ts';

export const root = join(import.meta.dirname, '../..');
const kubernetes = join(root, 'deploy/kubernetes');

/** What is applied apart from the overlays, by a short name. */
const folders: Readonly<Record<string, string>> = {
  operator: 'overlays/production/operator',
  'load-job': 'load/job',
  'load-check': 'load/check',
  teams: 'teams',
};

/**
 * Writes the manifests of all overlays and of what is applied apart from them into `folder`, each
 * into a file of its name, and returns the files. Errors: kubectl and kustomize are missing.
 */
export function writeManifests(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const retention = join(kubernetes, 'components/audit-retention/cron-job.yaml');
  const texts = {
    ...Object.fromEntries(overlays.map((overlay) => [overlay, readRendered(overlay)])),
    ...Object.fromEntries(
      Object.entries(folders).map(([name, path]) => [name, renderFolder(join(kubernetes, path))]),
    ),
    retention: readFileSync(retention, 'utf8'),
  };
  return Object.entries(texts).map(([name, text]) => {
    if (text === undefined) throw new Error('kubectl or kustomize must be on the PATH');
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, text);
    return file;
  });
}
