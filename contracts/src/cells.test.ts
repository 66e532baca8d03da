import { describe, expect, test } from 'vitest';
import { cellMark, cellPath, cellPattern, credentialPatternOf, findCredential } from './cells.ts';
import { credentialPattern, secretPattern } from './operator/keys.ts';

const secret = '0123456789ABCDEFGHIJKLMNOPQRSTuv';

test.each([
  ['eu', true],
  ['eu2', true],
  ['celloftwelve', true],
  ['e', false],
  ['celloftwelve1', false],
  ['EU2', false],
  ['2eu', false],
  ['eu_2', false],
  ['eu-2', false],
  ['', false],
  ['eu2\n', false],
])('whether %j is the name of a cell: %s', (name, isName) => {
  expect(cellPattern.test(name)).toBe(isName);
});

describe('a credential', () => {
  test.each([
    [`sk_live_${secret}`, null],
    [`rk_live_${secret}`, null],
    [`dk_live_eu2_${secret}`, 'eu2'],
    [`pc_live_celloftwelve_${secret}`, 'celloftwelve'],
    // A name ends at its underscore, and a secret has none.
    [`sk_live_eu_${secret}`, 'eu'],
  ])('%s names the cell %s', (text, cell) => {
    expect(credentialPattern.exec(text)?.[1] ?? null).toBe(cell);
    expect(credentialPattern.test(text)).toBe(true);
  });

  test.each([
    `sk_live_e_${secret}`,
    `sk_live__${secret}`,
    `sk_live_EU2_${secret}`,
    `sk_live_2eu_${secret}`,
    `sk_live_eu2_us1_${secret}`,
    `sk_live_eu2${secret}`,
    `sk_live_eu2_${secret}x`,
    `sk_live_eu2_${secret.slice(1)}`,
    `sk_test_eu2_${secret}`,
    `xk_live_eu2_${secret}`,
    ` sk_live_eu2_${secret}`,
    `sk_live_eu2_${secret}\n`,
    `sk_live_celloftwelve1_${secret}`,
  ])('%j is none', (text) => {
    expect(credentialPattern.test(text)).toBe(false);
  });

  test('of a chosen secret is an unrestricted key, of any cell', () => {
    expect(secretPattern.test(`sk_live_eu2_${secret}`)).toBe(true);
    expect(secretPattern.test(`rk_live_eu2_${secret}`)).toBe(false);
  });

  test('of another kind has the same form', () => {
    expect(credentialPatternOf(['ct_live_']).exec(`ct_live_eu2_${secret}`)?.[1]).toBe('eu2');
  });
});

test.each([
  [`https://api.example.com/scanner/#pc_live_${secret}`, `pc_live_${secret}`],
  [`https://api.example.com/cells/eu2/scanner/#pc_live_eu2_${secret}`, `pc_live_eu2_${secret}`],
  [` pc_live_${secret}\n`, `pc_live_${secret}`],
  [`https://api.example.com/scanner/#dk_live_${secret}`, null],
  [`https://api.example.com/scanner/#pc_live_${secret.slice(1)}`, null],
  ['', null],
])('the pairing code in %j is %s', (text, found) => {
  expect(findCredential('pc_live_', text)).toBe(found);
});

test('the default cell adds nothing to a credential or to a path', () => {
  expect([cellMark(null), cellPath(null)]).toEqual(['', '']);
  expect([cellMark('eu2'), cellPath('eu2')]).toEqual(['eu2_', '/cells/eu2']);
});
