import { describe, expect, test } from 'vitest';
import { csvLine } from './csv-line.ts';

test.each([
  [['a', 'b'], '"a","b"'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [[null, undefined, 3, true, -2], '"","","3","true","-2"'],
  [['=1+1', '+49', '-x', '@y'], '"\'=1+1","\'+49","\'-x","\'@y"'],
  [['a;=1+1', '＝1+1'], '"a;\'=1+1","\'＝1+1"'],
  [['Anna-Lena', 'ada+x@example.com', '9=9'], '"Anna-Lena","ada+x@example.com","9=9"'],
  [['שרה', '\u202ecod.exe', '\u202e=1'], '"\u2068שרה\u2069","cod.exe","\'=1"'],
])('writes %j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});

/** The fields that a reader with this separator sees, with and without respect for quotes. */
function* fieldsOf(file: string, separator: string): Generator<string> {
  yield* file.split(/[\r\n]+/).flatMap((line) => line.split(separator));
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < file.length; at++) {
    const char = file.charAt(at);
    if (isQuoted && char === '"' && file[at + 1] === '"') {
      field += '"';
      at++;
    } else if (char === '"' && (isQuoted || field === '')) isQuoted = !isQuoted;
    else if (!isQuoted && (char === separator || char === '\r' || char === '\n')) {
      yield field;
      field = '';
    } else field += char;
  }
  yield field;
}

describe.each([',', ';', '\t'])('read with the separator %j', (separator) => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t=', '\r=', ' ='];
  const places = ['', 'a,', 'a;', 'a\t', 'a\n', 'a\r\n', 'a"', 'a";', '";"', 'a; ', ',,', ';"\t'];

  test.each(signs)('no field begins with the formula character %j', (sign) => {
    for (const place of places) {
      const file = csvLine(['x', `${place}${sign}1+1`, `${place}${sign}`]);
      for (const field of fieldsOf(file, separator)) {
        const seen = field.replace(/^["\s]+/, '');
        expect(seen, JSON.stringify({ file, field })).not.toMatch(/^[=+\-@＝＋－＠]/u);
      }
    }
  });
});
