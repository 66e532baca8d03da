import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../plane/run.ts';

const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * The settings with which this machine gets npm packages, as mounts for the commands of a
 * Dockerfile. They become no part of an image.
 */
export async function packageSettings(folder: string): Promise<string[]> {
  const registry = await setting('registry');
  const authorities = (await setting('cafile')) ?? process.env.NODE_EXTRA_CA_CERTS;
  const file = join(folder, 'npmrc');
  const lines = [
    ...(registry === undefined ? [] : [`registry=${registry}`]),
    ...(authorities === undefined ? [] : [`cafile=${AUTHORITIES}`]),
  ];
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return [
    `${file}:/root/.npmrc:ro`,
    ...(authorities === undefined ? [] : [`${authorities}:${AUTHORITIES}:ro`]),
  ];
}

async function setting(name: string): Promise<string | undefined> {
  const { stdout } = await run(['npm', 'config', 'get', name], { timeoutMs: 60_000 });
  const value = stdout.trim();
  return ['', 'null', 'undefined'].includes(value) ? undefined : value;
}
