import { expect, test } from 'vitest';
import { shellText } from './shell.ts';

test('a title names the cell, except in the default cell', () => {
  expect(shellText.inCell('Platform', 'eu2')).toBe('Platform · cell eu2');
  expect(shellText.inCell('Platform', null)).toBe('Platform');
});
