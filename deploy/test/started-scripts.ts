import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { parse, parseAllDocuments } from 'yaml';
import { overlays } from '../kubernetes/render.ts';
import { instructionsOf } from './dockerfile.ts';
import { type Image, imageOf, root, toolsImage } from './image-tree.ts';
import { type Container, manifestsOf } from './manifests.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The sandboxes, which are processes of trials. */
export const sandboxes = ['payment-sandbox', 'identity-sandbox'] as const;

/** All images of the Dockerfile. */
export const images: readonly Image[] = [
  ...topology.map(({ name, folder }) => imageOf(name, folder)),
  ...sandboxes.map((name) => imageOf(name, name)),
  toolsImage,
];

/** A program of Node that something runs in an image: its path there. */
export interface Started {
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

/** What Compose runs. */
export const ofCompose = Object.entries(services).flatMap(
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

/** What the manifests run. */
export const ofManifests = [
  ...overlays.flatMap(manifestsOf),
  ...['components/audit-retention/cron-job.yaml', 'operator/pod.yaml'].flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
  ),
].flatMap((manifest) =>
  containersIn(manifest).flatMap(({ image, command = [], args = [] }) =>
    startedBy(`${manifest.kind} ${manifest.metadata.name}`, image, [...command, ...args]),
  ),
);

/** What an image runs by itself. */
export const ofDockerfile = images.flatMap(({ name, target, args }) =>
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

/** Everything that something runs in an image. */
export const startedScripts: readonly Started[] = [...ofCompose, ...ofManifests, ...ofDockerfile];
