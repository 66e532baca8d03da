import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Change, changes, createClient, FeedDigestError, nextDigest } from '../src/index.ts';
import { sendJson, startServer } from './server.ts';

const vectors: { firstDigest: string; vectors: { change: Change; digest: string }[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../contracts/change-digest-vectors.json'), 'utf8'),
);
const all = vectors.vectors.map(({ change }) => change);
const last = vectors.vectors.at(-1)?.digest ?? '';

/** A feed whose only page has these changes. The cursor is the number of pages read. */
const serve = (page: readonly Change[]) =>
  startServer(({ url = '' }, response) => {
    const after = Number(new URL(url, 'http://feed').searchParams.get('after'));
    const isFirst = after === 0;
    sendJson(response, 200, {
      changes: isFirst ? page : [],
      nextCursor: String(after + 1),
      digest: last,
    });
  });

async function readAll(page: readonly Change[], digest: string | null) {
  const client = createClient({ baseUrl: await serve(page), apiKey: 'sk_test' });
  const pages = [];
  for await (const each of changes({ client, from: { cursor: '0', digest }, untilEnd: true })) {
    pages.push(each);
  }
  return pages;
}

test('computes the published digests', async () => {
  let digest = vectors.firstDigest;
  for (const vector of vectors.vectors) {
    digest = await nextDigest(digest, vector.change);
    expect(digest).toBe(vector.digest);
  }
});

test('yields each page with the position after it', async () => {
  expect(await readAll(all, vectors.firstDigest)).toEqual([
    { changes: all, position: { cursor: '1', digest: last } },
  ]);
});

test.each([
  ['is missing', all.slice(1)],
  ['is doubled', [all[0] as Change, ...all]],
  ['is out of order', all.toReversed()],
])('throws when a change %s', async (_, page) => {
  await expect(readAll(page, vectors.firstDigest)).rejects.toBeInstanceOf(FeedDigestError);
});

test('compares nothing without a digest to begin with', async () => {
  expect(await readAll(all.slice(1), null)).toHaveLength(1);
});
