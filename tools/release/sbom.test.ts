import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { images, writeSbom } from './sbom.ts';

const root = join(import.meta.dirname, '../..');
const out = mkdtempSync(join(tmpdir(), 'event-api-sbom-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * `name@version` of all packages that Node can load from a folder, through their links on the disk.
 */
function installedFrom(folder: string, found = new Map<string, string>()): Map<string, string> {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    manifestIn(folder);
  for (const name of Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
    ...peerDependenciesMeta,
  })) {
    const linked = resolveFrom(folder, name);
    if (!linked || found.has(linked)) continue;
    const { version } = manifestIn(linked);
    found.set(linked, `${name}@${version ?? '0.0.0'}`);
    installedFrom(linked, found);
  }
  return found;
}

function resolveFrom(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return realpathSync(join(at, 'node_modules', name));
    } catch {
      if (at === dirname(at)) return undefined;
    }
  }
}

const shownName = (component: { group?: string; name: string; version: string }) =>
  `${component.group ? `${component.group}/` : ''}${component.name}@${component.version}`;

test.each(images.filter(({ image }) => ['gateway', 'console', 'tools'].includes(image)))(
  'the bill of materials of the image $image has exactly the packages that it runs',
  (image) => {
    const bom = JSON.parse(readFileSync(writeSbom(image, out), 'utf8'));
    expect(bom.bomFormat).toBe('CycloneDX');
    const listed = bom.components.map(shownName) as string[];
    const installed = new Set(
      image.folders.flatMap((folder) => [...installedFrom(join(root, folder)).values()]),
    );
    const ofOtherPlatforms = listed.filter((name) => !installed.has(name));
    expect([...installed].filter((name) => !listed.includes(name))).toEqual([]);
    expect(ofOtherPlatforms.filter((name) => !/(darwin|win32|linux)/.test(name))).toEqual([]);
  },
);
