import { describe, expect, test } from 'vitest';
import {
  differencesIn,
  nameOf,
  namesIn,
  type PinnedImages,
  referenceTo,
  withReferences,
} from './references.ts';

const digest = `sha256:${'1'.repeat(64)}`;
const other = `sha256:${'2'.repeat(64)}`;
const images: PinnedImages = {
  postgres: { tag: '18', digest },
  nats: { tag: '2.12-alpine', digest: null },
  'ghcr.io/grafana/k6-operator': { tag: 'starter-v1.6.0', digest },
};

test.each([
  ['postgres', 'postgres'],
  ['postgres:18', 'postgres'],
  [`postgres@${digest}`, 'postgres'],
  [`postgres:18@${digest}`, 'postgres'],
  ['ghcr.io/grafana/k6-operator:starter-v1.6.0', 'ghcr.io/grafana/k6-operator'],
  ['localhost:5000/postgres', 'localhost:5000/postgres'],
  [`localhost:5000/postgres:18@${digest}`, 'localhost:5000/postgres'],
])('the name of %s is %s', (reference, name) => {
  expect(nameOf(reference)).toBe(name);
});

test('a reference has the digest once it is set', () => {
  expect(referenceTo('postgres', { tag: '18', digest })).toBe(`postgres:18@${digest}`);
  expect(referenceTo('postgres', { tag: '18', digest: null })).toBe('postgres:18');
});

/** A line of a file, what differs, and the line with the reference of the list. */
const lines: [line: string, kind: 'equal' | 'other' | 'unlisted' | 'none', written: string][] = [
  [`    image: postgres:18@${digest}`, 'equal', ''],
  ['    image: postgres:18', 'other', `    image: postgres:18@${digest}`],
  [`    image: postgres:18@${other}`, 'other', `    image: postgres:18@${digest}`],
  [`      - image: postgres:17@${digest}`, 'other', `      - image: postgres:18@${digest}`],
  ['    image: "postgres:18"', 'other', `    image: "postgres:18@${digest}"`],
  [
    '    - { name: a, image: postgres }',
    'other',
    `    - { name: a, image: postgres:18@${digest} }`,
  ],
  ['  imageName: nats:2.11', 'other', '  imageName: nats:2.12-alpine'],
  ['    image: nats:2.12-alpine', 'equal', ''],
  ['ARG NODE_IMAGE=nats:2.11', 'other', 'ARG NODE_IMAGE=nats:2.12-alpine'],
  ['    image: redis:8', 'unlisted', ''],
  ['    image: localhost:5000/postgres:18', 'unlisted', ''],
  // Images of this repository, anchors, variables and fields with other names.
  ['    image: event-api-onsite:local', 'none', ''],
  ['    image: event-api-tools', 'none', ''],
  [`    image: registry.example.com/event-api-onsite@${other}`, 'none', ''],
  ['x-tools-image: &tools-image', 'none', ''],
  ['    my-image: postgres:17', 'none', ''],
  ['FROM ${' + 'NODE_IMAGE} AS runtime', 'none', ''],
  ['    image: ${' + 'IMAGE}', 'none', ''],
];

describe.each(lines)('the line %j', (line, kind, written) => {
  const text = `first: 1\n${line}\nlast: 1\n`;

  test(`is ${kind}`, () => {
    const found = differencesIn(text, images);
    const isDifferent = kind === 'other' || kind === 'unlisted';
    expect(found.map((each) => [each.line, each.kind])).toEqual(isDifferent ? [[2, kind]] : []);
    expect(namesIn(text)).toHaveLength(kind === 'none' ? 0 : 1);
  });

  test('is written with the reference of the list', () => {
    const after = withReferences(text, images);
    expect(after).toBe(written === '' ? text : text.replace(line, written));
    expect(differencesIn(after, images).filter((each) => each.kind === 'other')).toEqual([]);
  });
});
