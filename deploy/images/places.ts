import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differencesIn, namesIn, type PinnedImages, withReferences } from './references.ts';

/** The list, and the files that refer to images, below the root of the repository. */
export const LIST = 'deploy/images.json';
const FILES = ['docker-compose.yml', 'deploy/Dockerfile', 'deploy/{compose,kubernetes}/**/*.yaml'];

export const readImages = (root: string): PinnedImages =>
  JSON.parse(readFileSync(join(root, LIST), 'utf8'));

/** Writes the list as the formatter does. */
export const writeImages = (root: string, images: PinnedImages): void =>
  writeFileSync(join(root, LIST), `${JSON.stringify(images, null, 2)}\n`);

const placesBelow = (root: string) =>
  FILES.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted()).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }));

/** One line for each place that differs from the list, and for each image that no place has. */
export function differences(root: string): string[] {
  const images = readImages(root);
  const places = placesBelow(root);
  const used = new Set(places.flatMap(({ text }) => namesIn(text)));
  const different = places.flatMap(({ file, text }) =>
    differencesIn(text, images).map((found) =>
      found.kind === 'unlisted'
        ? `${file}:${found.line} has ${found.reference}, which is not in ${LIST}`
        : `${file}:${found.line} has ${found.reference} instead of ${found.expected}`,
    ),
  );
  const unused = Object.keys(images).filter((name) => !used.has(name));
  return [...different, ...unused.map((name) => `${LIST} has ${name}, which no file uses`)];
}

/** Writes the references of the list to every place. Returns the files that it changed. */
export function writePlaces(root: string): string[] {
  const images = readImages(root);
  return placesBelow(root).flatMap(({ file, text }) => {
    const changed = withReferences(text, images);
    if (changed === text) return [];
    writeFileSync(join(root, file), changed);
    return [file];
  });
}
