import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellPattern, cellRule } from '@event-api/contracts/cells';

const kubernetes = join(import.meta.dirname, '../kubernetes');
const production = join(kubernetes, 'overlays/production');

/** The namespace of a cell in a cluster that has others. */
export const namespaceOfCell = (cell: string): string => `event-api-${cell}`;

/** Replaces what `from` matches. Errors: it matches nothing. */
function replaced(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`the overlay production does not contain ${from}`);
  return text.replace(from, to);
}

/** The same object store would have the backups of two servers under one name. */
const ownBackups = (cell: string) => `patches:
  # A bucket of its own: the servers of all cells have the same names.
  - target: { kind: ObjectStore, name: backups }
    patch: |
      - { op: replace, path: /spec/configuration/destinationPath, value: "s3://event-api-backups-${cell}/" }
`;

/** The Roles are those of the namespace. The policy is one for all cells. */
const teamsOf = (
  cell: string,
) => `# Who may release which service in this cell (docs/releasing.md). An administrator applies it.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: ${namespaceOfCell(cell)}
resources: [../../../teams]
`;

/** What a file of production is in a cell, beyond the namespace. */
const changes: Record<string, (text: string, cell: string) => string> = {
  'site/kustomization.yaml': (text) =>
    replaced(text, /# components: \[\S+\/components\/cell\]/, 'components: [cell]'),
  'gateway/kustomization.yaml': (text) =>
    replaced(text, /# (?=- \.\.\/\.\.\/\.\.\/components\/cell\/gateway$)/m, ''),
  'servers/kustomization.yaml': (text, cell) => text + ownBackups(cell),
};

/**
 * The overlay of a cell beside the default one: a copy of production in a namespace of its own, with
 * the name of the cell. What it has in common with production is changed in both from then on, and
 * each is released alone. Returns its files by their paths. Errors: the name; production lacks a line
 * that a cell changes.
 */
export function cellOverlay(cell: string): Record<string, string> {
  if (!cellPattern.test(cell)) throw new Error(`${cell} ${cellRule}`);
  const component = readFileSync(join(kubernetes, 'components/cell/kustomization.yaml'), 'utf8');
  const files = readdirSync(production, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file): [string, string] => {
      const text = readFileSync(join(production, file), 'utf8')
        .replace(/^namespace: event-api$/m, `namespace: ${namespaceOfCell(cell)}`)
        .replaceAll('overlays/production', `overlays/${cell}`);
      return [file, changes[file]?.(text, cell) ?? text];
    });
  return {
    ...Object.fromEntries(files),
    'teams/kustomization.yaml': teamsOf(cell),
    'site/cell/kustomization.yaml': replaced(component, /(?<=value: )eu2(?= \})/, cell),
  };
}
