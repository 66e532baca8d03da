import { expect, test } from 'vitest';
import { privateHref, publicHref, textOf } from './private-history.rules.ts';

test.each([
  ['/u/1/orders?q=ada%40example.com&status=paid#top', '/u/1/orders?status=paid#top'],
  ['/u/1/orders?q=ada', '/u/1/orders'],
  ['/u/1/orders?status=paid', '/u/1/orders?status=paid'],
  ['/u/1/orders#q=1', '/u/1/orders#q=1'],
  ['/u/1/orders', '/u/1/orders'],
])('the address %s is shown as %s', (href, address) => {
  expect(publicHref(href)).toBe(address);
});

test.each([
  ['/orders?status=paid#top', 'ada & bob', '/orders?q=ada+%26+bob&status=paid#top'],
  ['/orders?q=old', 'new', '/orders?q=new'],
  ['/orders?q=old', undefined, '/orders?q=old'],
])('the address %s with the search %s is %s', (href, text, whole) => {
  expect(privateHref(href, text)).toBe(whole);
});

test.each([
  ['/orders?status=paid&q=ada+l%C3%B6w', 'ada löw'],
  ['/orders?status=paid', undefined],
])('the search of the address %s is %s', (href, text) => {
  expect(textOf(href)).toBe(text);
});
