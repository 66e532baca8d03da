import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [[null, undefined, 3, true, -2], ',,3,true,-2'],
  [['=1+1', '+49', '-x', '@y'], "'=1+1,'+49,'-x,'@y"],
])('writes %j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
