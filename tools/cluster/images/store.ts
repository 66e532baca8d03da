import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Image } from '@event-api/deploy/test/image-tree';
import { baseImage } from './base.ts';
import { type Buildah, openStorage } from './buildah.ts';
import { packageSettings } from './package-settings.ts';

/** An image whose files are on this machine, and how it says that it is to be run. */
export interface BuiltImage {
  /** The folder that is its root. */
  root: string;
  user: string;
  folder: string;
  command: readonly string[];
  healthCheck: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The images of the Dockerfile. */
export interface ImageStore {
  /** Builds an image from this repository. Errors: the output of buildah. */
  build(image: Image): Promise<void>;
  /** An image that was built. Errors: it was not. */
  get(name: string): BuiltImage;
  /** Removes the files of the images. Their layers stay, for the next run. */
  stop(): Promise<void>;
}

export async function openImageStore(): Promise<ImageStore> {
  const { buildah, release } = await openStorage();
  const settings = mkdtempSync(join(tmpdir(), 'event-api-images-'));
  const containers: string[] = [];
  const built = new Map<string, BuiltImage>();
  return {
    async build(image) {
      const id = await buildImage(buildah, image, settings);
      const container = (await buildah(['from', '--pull-never', id])).trim();
      containers.push(container);
      const root = (await buildah(['mount', container])).trim();
      const inspected = JSON.parse(await buildah(['inspect', '--type=image', id]));
      built.set(image.name, { root, ...described(inspected.Docker.config) });
    },
    get(name) {
      const image = built.get(name);
      if (!image) throw new Error(`the image of ${name} was not built`);
      return image;
    },
    async stop() {
      rmSync(settings, { recursive: true, force: true });
      for (const container of containers.splice(0)) await buildah(['rm', container]);
      release();
    },
  };
}

/** Returns the id of the image. */
async function buildImage(
  buildah: Buildah,
  { name, target, args }: Image,
  settings: string,
): Promise<string> {
  const idFile = join(settings, 'id');
  const buildArguments = { NODE_IMAGE: await baseImage(buildah), ...args };
  await buildah([
    'build',
    '--isolation=chroot',
    '--network=host',
    '--pull-never',
    '--layers',
    // The format that has health checks.
    '--format=docker',
    '--file=deploy/Dockerfile',
    `--target=${target}`,
    `--tag=localhost/event-api-${name}:cluster-test`,
    `--iidfile=${idFile}`,
    ...(await packageSettings(settings)).map((mount) => `--volume=${mount}`),
    ...Object.entries(buildArguments).map(([key, value]) => `--build-arg=${key}=${value}`),
    '.',
  ]);
  return readFileSync(idFile, 'utf8').trim();
}

interface ImageConfig {
  User: string;
  WorkingDir: string;
  Cmd: string[];
  Env: string[];
  Healthcheck?: { Test: string[] };
}

const described = ({ User, WorkingDir, Cmd, Env, Healthcheck }: ImageConfig) => ({
  user: User,
  folder: WorkingDir,
  command: Cmd,
  // The first word says that no shell is needed.
  healthCheck: Healthcheck?.Test.slice(1) ?? [],
  env: Object.fromEntries(
    Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ),
});
