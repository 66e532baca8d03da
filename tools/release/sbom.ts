import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { topology } from '@event-api/contracts/topology';

const root = join(import.meta.dirname, '../..');

/** An image and the folders of the packages that its Dockerfile installs for production. */
export interface ImagePackages {
  image: string;
  folders: readonly string[];
}

export const images: readonly ImagePackages[] = [
  ...topology.map(({ name, folder }) => ({ image: name, folders: [folder] })),
  { image: 'payment-sandbox', folders: ['payment-sandbox'] },
  { image: 'identity-sandbox', folders: ['identity-sandbox'] },
  { image: 'tools', folders: ['tools', 'deploy', 'load-tests'] },
];

/**
 * Writes a CycloneDX bill of materials for an image into `folder`: the packages of the project and
 * of npm that the image runs, with versions, integrity and licences, read from the lock file. It
 * does not contain the packages of the base image. Returns the file.
 *
 * Errors: the output of pnpm.
 */
export function writeSbom({ image, folders }: ImagePackages, folder: string): string {
  const file = join(folder, `${image}.cdx.json`);
  const filters = folders.flatMap((each) => ['--filter', packageIn(each)]);
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prod'];
  const { status, stdout, stderr } = spawnSync(
    'pnpm',
    [...filters, 'sbom', ...options, '--out', file],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`pnpm sbom for ${image} failed:\n${stdout}${stderr}`);
  return file;
}

const packageIn = (folder: string): string =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name;

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: 'string', default: 'sbom' } } }).values;
  const folder = resolve(root, out);
  mkdirSync(folder, { recursive: true });
  for (const image of images) console.log(relative(root, writeSbom(image, folder)));
}
