import { expect, test } from 'vitest';
import { nameAt } from './own-names.ts';

test.each([
  ['/scanner/', 'pairing'],
  ['/scanner/cells/eu2/', 'pairing'],
  ['/cells/eu2/scanner/', 'eu2 pairing'],
  ['/cells/us1/scanner/', 'us1 pairing'],
])('a page at %s stores its pairing as %j', (pathname, name) => {
  expect(nameAt(pathname, 'pairing')).toBe(name);
});
