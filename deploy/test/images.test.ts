import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differences, readImages, writePlaces } from '../images/places.ts';
import { isDigest, referenceTo } from '../images/references.ts';
import { copyOfDeployment } from './deployment-copy.ts';
import { root } from './image-tree.ts';

const digest = `sha256:${'1'.repeat(64)}`;

test('every image of another project is the one of the list', () => {
  expect(differences(root)).toEqual([]);
});

test('the list has an exact tag for each image, and a whole digest or none', () => {
  const images = Object.entries(readImages(root));
  expect(images.length).toBeGreaterThan(5);
  const floating = images.filter(([, { tag }]) => !/\d/.test(tag) || tag === 'latest');
  expect(floating).toEqual([]);
  expect(images.filter(([, each]) => each.digest !== null && !isDigest(each.digest))).toEqual([]);
});

test('the base image has the Node with which the tests run', () => {
  const bootstrap = readFileSync(join(root, 'tools/bootstrap.mjs'), 'utf8');
  const [, node] = /const NODE = '([\d.]+)'/.exec(bootstrap) ?? [];
  expect(readImages(root).node?.tag).toBe(`${node}-bookworm-slim`);
});

describe('a copy whose list has digests', () => {
  const copy = copyOfDeployment();
  const listed = Object.entries(readImages(root)).map(([name, { tag }]) => [name, { tag, digest }]);
  copy.write('deploy/images.json', JSON.stringify(Object.fromEntries(listed)));

  test('differs at every place, and at none after the list is written there', () => {
    const before = differences(copy.folder);
    expect(before.length).toBeGreaterThan(10);
    expect(before[0]).toMatch(
      /^docker-compose\.yml:\d+ has postgres:\S+ instead of postgres:\S+@sha/,
    );
    writePlaces(copy.folder);
    expect(differences(copy.folder)).toEqual([]);
    for (const [name, image] of Object.entries(readImages(copy.folder))) {
      const uses = ['docker-compose.yml', 'deploy/Dockerfile']
        .map(copy.read)
        .filter((text) => text.includes(`${name}:${image.tag}`));
      for (const text of uses) expect(text).toContain(referenceTo(name, image));
    }
    expect(writePlaces(copy.folder)).toEqual([]);
  });

  test('differs by an image that is not listed, and by one that is listed in vain', () => {
    copy.write('deploy/compose/another.yaml', 'services:\n  a:\n    image: busybox:1.37\n');
    copy.write(
      'deploy/images.json',
      JSON.stringify({ ...readImages(copy.folder), mariadb: { tag: '12', digest: null } }),
    );
    expect(differences(copy.folder)).toEqual([
      'deploy/compose/another.yaml:3 has busybox:1.37, which is not in deploy/images.json',
      'deploy/images.json has mariadb, which no file uses',
    ]);
  });
});
