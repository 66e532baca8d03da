import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { dockerfile } from '@event-api/deploy/test/dockerfile';
import { run, runOrFail } from '../plane/run.ts';
import type { Buildah } from './buildah.ts';

const TIMEOUT_MS = 15 * 60_000;
/** That of this major version of Node. */
const NPM = 'npm@11';

/**
 * The image that stands for that of Node in the Dockerfile: Debian from its packages, with the Node
 * that runs this program. No registry of images is needed. It is created once.
 */
export async function baseImage(buildah: Buildah): Promise<string> {
  const [, name = '', suite = ''] =
    /^ARG NODE_IMAGE=(node:[\d.]+-([a-z]+)-slim)(?:@|$)/m.exec(dockerfile) ?? [];
  const image = `localhost/${name}`;
  if ((await buildah(['images', '--quiet', '--filter', `reference=${image}`])).trim() !== '')
    return image;
  const container = (await buildah(['from', 'scratch'])).trim();
  try {
    await install((await buildah(['mount', container])).trim(), suite);
    await buildah(['config', '--env=PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', container]);
    await buildah(['commit', container, image]);
  } finally {
    await buildah(['rm', container]);
  }
  return image;
}

async function install(folder: string, suite: string): Promise<void> {
  const runIn = (command: readonly string[]) => runOrFail(command, { timeoutMs: TIMEOUT_MS });
  await runIn([
    'debootstrap',
    '--variant=minbase',
    '--include=ca-certificates',
    suite,
    folder,
    ...(await packageSource(suite)),
  ]);
  await runIn([
    'sh',
    '-c',
    'rm -rf "$0"/var/cache/apt/archives/* "$0"/var/lib/apt/lists/*',
    folder,
  ]);
  copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'));
  await runIn(['npm', 'install', '--global', `--prefix=${join(folder, 'usr/local')}`, NPM]);
}

/** Where this machine gets the packages of this release of Debian, if it is one of them. */
async function packageSource(suite: string): Promise<string[]> {
  const filters = [`Codename: ${suite}`, 'Created-By: Packages'];
  const { stdout } = await run(['apt-get', 'indextargets', '--format=$(REPO_URI)', ...filters], {
    timeoutMs: TIMEOUT_MS,
  });
  return stdout.trim().split('\n').filter(Boolean).slice(0, 1);
}
