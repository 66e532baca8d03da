import { expect, test } from 'vitest';
import { versionOf } from './version.ts';

test.each([
  ['https://example.com/scanner/assets/page-B1-x_9aZ.js', 'B1-x_9aZ'],
  ['https://example.com/src/api/version.ts', 'development'],
])('the version in %s is %s', (url, version) => {
  expect(versionOf(url)).toBe(version);
});
