import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { killWithParent } from '@event-api/local-servers/tether';
import { cacheFolder, MissingPrerequisite } from '../plane/programs.ts';
import { run, runOrFail } from '../plane/run.ts';

const MINUTE_MS = 60_000;
/** Of one image, on a machine with two busy cores and an empty cache. */
const BUILD_TIMEOUT_MS = 30 * MINUTE_MS;
/** With the layers of former sources. A larger store is emptied. */
const MAX_STORE_KIB = 16 * 1024 * 1024;

/** Runs buildah in the root of the repository. Errors: when it does not exit with 0. */
export type Buildah = (args: readonly string[]) => Promise<string>;

/** Installs what builds images, if it is a package of this system. Errors: MissingPrerequisite. */
export async function requireImageBuilder(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new MissingPrerequisite(
      'images are built on Linux by root; the other groups, chosen by --only, need neither',
    );
  const isMissing = async (program: string) =>
    (await run([program, '--version'], { timeoutMs: MINUTE_MS })).status !== 0;
  for (const program of ['buildah', 'debootstrap']) {
    if (!(await isMissing(program))) continue;
    const options = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: 10 * MINUTE_MS,
    };
    await run(['apt-get', 'update'], options);
    await run(['apt-get', 'install', '--yes', '--no-install-recommends', program], options);
    if (await isMissing(program))
      throw new MissingPrerequisite(
        `${program} is neither installed nor a package of this system: it builds the images`,
      );
  }
}

/** The images of this test, beside those of other programs. */
export interface ImageStorage {
  buildah: Buildah;
  /** Lets another run of the test use the images. */
  release(): void;
}

/** Opens the storage, after a run of another clone has ended, and removes what killed runs left. */
export async function openStorage(): Promise<ImageStorage> {
  const folder = join(cacheFolder, 'images');
  mkdirSync(folder, { recursive: true });
  const release = await lock(`${folder}.lock`);
  const words = ['buildah', `--root=${folder}`, '--runroot=/run/event-api-cluster-images'];
  const buildah: Buildah = (args) =>
    runOrFail([...words, ...args], {
      cwd: join(import.meta.dirname, '../../..'),
      timeoutMs: BUILD_TIMEOUT_MS,
    });
  await buildah(['rm', '--all']);
  const { stdout } = await run(['du', '--summarize', folder], { timeoutMs: 5 * MINUTE_MS });
  if (Number.parseInt(stdout, 10) > MAX_STORE_KIB) await buildah(['rmi', '--all', '--force']);
  return { buildah, release };
}

/** Waits for the lock of a file, which the kernel releases with this process at the latest. */
async function lock(file: string): Promise<() => void> {
  const words = [
    ...killWithParent('SIGKILL'),
    'flock',
    file,
    'sh',
    '-c',
    'echo locked && exec cat',
  ];
  const [program = '', ...rest] = words;
  const holder = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  await Promise.race([once(holder.stdout, 'data'), failWhenEnded(holder)]);
  // After an error this process ends without releasing it.
  holder.unref();
  for (const stream of [holder.stdin, holder.stdout]) (stream as Socket).unref();
  return () => holder.stdin.end();
}

async function failWhenEnded(holder: ChildProcess): Promise<never> {
  await once(holder, 'exit');
  throw new Error('the images of this test cannot be locked');
}
