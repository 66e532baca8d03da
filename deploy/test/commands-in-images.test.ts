import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { instructionsOf } from './dockerfile.ts';
import { type Image, isInContext, root } from './image-tree.ts';
import { images, ofCompose, ofDockerfile, ofManifests, startedScripts } from './started-scripts.ts';

const ignoreFile = readFileSync(join(root, '.dockerignore'), 'utf8');

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

test('the commands of Compose, the manifests and the Dockerfile are found', () => {
  for (const list of [ofCompose, ofManifests, ofDockerfile])
    expect(list.length).toBeGreaterThan(10);
  expect(new Set(startedScripts.map(({ image }) => image))).toEqual(
    new Set(images.map(({ name }) => name)),
  );
});

describe.each(images)('the image of $name', (image) => {
  test('contains every script that something runs in it', () => {
    const missing = startedScripts
      .filter((each) => each.image === image.name)
      .filter(({ path }) => {
        const folder = image.args.FOLDER ?? '';
        return !isInImage(image, path.startsWith('/app/') ? path.slice(5) : join(folder, path));
      })
      .map(({ by, path }) => `${by} runs ${path}`);
    expect(missing).toEqual([]);
  });
});
