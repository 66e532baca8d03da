import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { overlays } from '../kubernetes/render.ts';
import { instructionsOf } from './dockerfile.ts';
import { type Image, imageOf, isInContext, root, toolsImage } from './image-tree.ts';
import { type Container, manifestsOf } from './manifests.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const ignoreFile = read('.dockerignore');

const images: Image[] = [
  ...topology.map(({ name, folder }) => imageOf(name, folder)),
  ...['payment-sandbox', 'identity-sandbox'].map((name) => imageOf(name, name)),
  toolsImage,
];

/** A program of Node that something runs in an image: its path there. */
interface Started {
  by: string;
  image: string;
  path: string;
}

/** The scripts in the words of a command, also in those of a shell. */
const scriptsIn = (words: readonly string[]): string[] =>
  words
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => /^[\w./-]+\.(?:[mc]?js|ts)$/.test(word));

const ownImage = /(?:^|\/)event-api-([a-z-]+)(?=[:@]|$)/;

function startedBy(by: string, image: string, words: readonly string[]): Started[] {
  const [, name] = ownImage.exec(image) ?? [];
  if (name === undefined || words[0] === undefined) return [];
  return scriptsIn(words).map((path) => ({ by, image: name, path }));
}

interface ComposeService {
  image?: string;
  command?: string[];
  entrypoint?: string[];
  healthcheck?: { test?: string[] };
}

const services: Record<string, ComposeService> = parse(read('docker-compose.yml'), {
  merge: true,
}).services;

const ofCompose = Object.entries(services).flatMap(
  ([name, { image = '', command = [], entrypoint = [], healthcheck }]) => [
    ...startedBy(`Compose's ${name}`, image, [...entrypoint, ...command]),
    ...startedBy(`the health check of Compose's ${name}`, image, healthcheck?.test ?? []),
  ],
);

/** The containers anywhere in a manifest. */
function containersIn(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  const { containers } = value as { containers?: Container[] };
  const nested = Object.values(value).flatMap(containersIn);
  return Array.isArray(containers) ? [...containers, ...nested] : nested;
}

const ofManifests = [
  ...overlays.flatMap(manifestsOf),
  ...['components/audit-retention/cron-job.yaml', 'operator/pod.yaml'].flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
  ),
].flatMap((manifest) =>
  containersIn(manifest).flatMap(({ image, command = [], args = [] }) =>
    startedBy(`${manifest.kind} ${manifest.metadata.name}`, image, [...command, ...args]),
  ),
);

const ofDockerfile = images.flatMap(({ name, target, args }) =>
  instructionsOf(target, args)
    .filter(({ word }) => word === 'CMD' || word === 'HEALTHCHECK')
    .flatMap(({ word, value }) =>
      scriptsIn(value.split(/[\s",[\]]+/)).map((path) => ({
        by: `${word} of the Dockerfile`,
        image: name,
        path,
      })),
    ),
);

/**
 * Whether the COPY instructions of an image copy this file of the repository, and the context has
 * it.
 */
function isInImage(image: Image, path: string): boolean {
  const copied = instructionsOf(image.stage, image.args)
    .filter(({ word }) => word === 'COPY')
    .flatMap(({ value }) => value.split(/\s+/).slice(0, -1));
  return (
    existsSync(join(root, path)) &&
    isInContext(path, ignoreFile) &&
    copied.some((source) => path === source || path.startsWith(`${source}/`))
  );
}

const all = [...ofCompose, ...ofManifests, ...ofDockerfile];

test('the commands of Compose, the manifests and the Dockerfile are found', () => {
  for (const list of [ofCompose, ofManifests, ofDockerfile])
    expect(list.length).toBeGreaterThan(10);
  expect(new Set(all.map(({ image }) => image))).toEqual(new Set(images.map(({ name }) => name)));
});

describe.each(images)('the image of $name', (image) => {
  test('contains every script that something runs in it', () => {
    const missing = all
      .filter((each) => each.image === image.name)
      .filter(({ path }) => {
        const folder = image.args.FOLDER ?? '';
        return !isInImage(image, path.startsWith('/app/') ? path.slice(5) : join(folder, path));
      })
      .map(({ by, path }) => `${by} runs ${path}`);
    expect(missing).toEqual([]);
  });
});
