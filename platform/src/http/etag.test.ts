import { describe, expect, test } from 'vitest';
import { etagOf, matchesEtag } from './etag.ts';

describe('an ETag', () => {
  const etag = etagOf({ count: 1 });

  test('is quoted, and the same for the same content only', () => {
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(etagOf({ count: 1 })).toBe(etag);
    expect(etagOf({ count: 2 })).not.toBe(etag);
  });

  test.each([
    [etag, true],
    [`W/${etag}`, true],
    [`"other", ${etag}`, true],
    ['*', true],
    [undefined, false],
    ['', false],
    ['"other"', false],
    [etag.slice(1, -1), false],
  ])('If-None-Match %s matches: %s', (header, expected) => {
    expect(matchesEtag(header, etag)).toBe(expected);
  });
});
