import { describe, expect, test } from 'vitest';
import { parseShortCode, shortCodeLetters, writeShortCode } from './devices.ts';

const ofDefault = { cell: null, code: 'K7QM3XTB' };
const ofEu2 = { cell: 'eu2', code: 'K7QM3XTB' };

describe('a short code', () => {
  test.each([
    ['K7QM-3XTB', ofDefault],
    [' k7qm 3xtb ', ofDefault],
    ['k-7-q-m-3-x-t-b', ofDefault],
    ['EU2-K7QM-3XTB', ofEu2],
    ['eu2k7qm3xtb', ofEu2],
    ['Eu2 K7qm 3xtB', ofEu2],
    ['AB-K7QM-3XTB', { ...ofDefault, cell: 'ab' }],
    ['CELLOFTWELVE-K7QM-3XTB', { ...ofDefault, cell: 'celloftwelve' }],
    // The name of a cell may have letters that a code has not.
    ['LOU10-K7QM-3XTB', { ...ofDefault, cell: 'lou10' }],
    ['K7QM-3XT', null],
    ['K7QM-3XTBB', null],
    ['K7QM-3XT0', null],
    ['K7QM_3XTB', null],
    ['2EU-K7QM-3XTB', null],
    ['EU_2-K7QM-3XTB', null],
    ['CELLOFTHIRTEE-K7QM-3XTB', null],
    ['', null],
  ])('%j is %j', (text, parts) => {
    expect(parseShortCode(text)).toEqual(parts);
  });

  test.each([ofDefault, ofEu2])('is read as it is written: %j', (parts) => {
    expect(parseShortCode(writeShortCode(parts))).toEqual(parts);
  });

  test('is written with dashes, the cell first', () => {
    expect(writeShortCode(ofDefault)).toBe('K7QM-3XTB');
    expect(writeShortCode(ofEu2)).toBe('EU2-K7QM-3XTB');
  });

  test('has no letter that looks like another one', () => {
    expect(shortCodeLetters).toHaveLength(30);
    for (const letter of '01ILOU') expect(shortCodeLetters).not.toContain(letter);
  });
});
