import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cellOverlay } from '../cells/overlay.ts';
import { writeOverlay } from '../cells/write-overlay.ts';
import { namespaceOf, splitManifests } from '../kubernetes/release.ts';
import { readRendered, renderFolder } from '../kubernetes/render.ts';
import { root } from './image-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-cells-'));
beforeAll(() => {
  cpSync(join(root, 'deploy/kubernetes'), folder, { recursive: true });
  writeOverlay(join(folder, 'overlays'), 'asia1');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const render = (context: { skip: (reason: string) => never }, name: string): string =>
  renderFolder(join(folder, 'overlays', name)) ?? context.skip('no kubectl renders the overlays');
const idsOf = (rendered: string) =>
  splitManifests(rendered)
    .map(({ kind, name }) => `${kind} ${name.replace(/-[a-z0-9]{10}$/, '')}`)
    .toSorted();

describe('the overlay of a cell beside the default one', () => {
  test('has every object of production in a namespace of its own, and no route', (context) => {
    const cell = render(context, 'asia1');
    const production = render(context, 'production');
    expect([namespaceOf(production), namespaceOf(cell)]).toEqual(['event-api', 'event-api-asia1']);
    const without = idsOf(production).filter((id) => id !== 'HTTPRoute api');
    const expected = without.map((id) =>
      id === 'Namespace event-api' ? 'Namespace event-api-asia1' : id,
    );
    expect(idsOf(cell)).toEqual([...expected, 'ReferenceGrant cells'].toSorted());
  });

  test('names the cell in its processes, and has a bucket of its own', (context) => {
    const cell = render(context, 'asia1');
    expect(cell.match(/name: CELL\n +value: asia1$/gm)).toHaveLength(4);
    expect(cell).not.toContain('eu2');
    expect(cell).toContain('destinationPath: s3://event-api-backups-asia1/');
    expect(render(context, 'production')).not.toContain('name: CELL');
  });

  test('has folders that are released alone', (context) => {
    expect(namespaceOf(render(context, 'asia1/onsite'))).toBe('event-api-asia1');
    expect(namespaceOf(render(context, 'asia1/operator'))).toBe('event-api-asia1');
    expect(render(context, 'asia1/servers-per-process')).toContain('event-api-backups-asia1');
  });

  test('has the roles of its teams, and the one policy of the cluster', (context) => {
    const roles = render(context, 'asia1/teams');
    expect(namespaceOf(roles)).toBe('event-api-asia1');
    const policies = (text: string) =>
      splitManifests(text)
        .filter(({ kind }) => kind.startsWith('ValidatingAdmission'))
        // It has no effect on an object of the cluster.
        .map((each) => each.text.replace(/^ {2}namespace: .*\n/m, '').trimEnd());
    const shared = renderFolder(join(folder, 'teams')) ?? '';
    expect(policies(roles)).toHaveLength(2);
    expect(policies(roles)).toEqual(policies(shared));
  });

  test('is written once, for a valid name', () => {
    expect(() => writeOverlay(join(folder, 'overlays'), 'asia1')).toThrow('exists already');
    // The name in the component.
    expect(cellOverlay('eu2')['site/cell/kustomization.yaml']).toContain('value: eu2 }');
    expect(() => cellOverlay('../EU')).toThrow('must be 2 to 12 small letters or digits');
  });
});

test('manifests of several namespaces have none', () => {
  const of = (namespace: string) =>
    `kind: Service\nmetadata:\n  name: a\n  namespace: ${namespace}\n`;
  expect(namespaceOf(of('a'))).toBe('a');
  expect(() => namespaceOf(`${of('a')}---\n${of('b')}`)).toThrow('a and b');
  expect(() => namespaceOf('kind: Namespace\nmetadata:\n  name: a\n')).toThrow('no namespace');
  expect(namespaceOf(readRendered('production'))).toBe('event-api');
});
