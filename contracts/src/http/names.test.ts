import { describe, expect, test } from 'vitest';
import { normalEmail } from '../email.ts';
import { email, line, name } from './fields.ts';

const issuesOf = (schema: ReturnType<typeof line>, value: string) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe('a name', () => {
  test.each([
    ['a zero-width space', '\u200b', 'must have a visible character'],
    ['a soft hyphen', '\u00ad', 'must have a visible character'],
    ['a joiner alone', '\u200d', 'must have a visible character'],
    ['a Hangul filler', '\u3164', 'must have a visible character'],
    ['a blank Braille pattern', '\u2800', 'must have a visible character'],
    ['a combining mark alone', '\u0301', 'must have a visible character'],
    [
      'direction overrides',
      '\u202e\u202e',
      'must not contain characters that change the text direction',
    ],
    [
      'an override in a name',
      'Ada \u202eecalevoL',
      'must not contain characters that change the text direction',
    ],
    [
      'an embedding',
      '\u202bAda\u202c',
      'must not contain characters that change the text direction',
    ],
    ['an isolate', '\u2067Ada\u2069', 'must not contain characters that change the text direction'],
    ['a bell', 'a \u0007 b', 'must not contain line breaks or other control characters'],
    ['a delete', 'a\u007fb', 'must not contain line breaks or other control characters'],
    ['a C1 control', 'a\u0085b', 'must not contain line breaks or other control characters'],
    ['a line break', 'line\nbreak', 'must not contain line breaks or other control characters'],
    [
      'a carriage return',
      'line\rbreak',
      'must not contain line breaks or other control characters',
    ],
    ['a tab', 'a\tb', 'must not contain line breaks or other control characters'],
    ['a line separator', 'a\u2028b', 'must not contain line breaks or other control characters'],
  ])('cannot have or be %s', (_what, value, issue) => {
    expect(issuesOf(name(), value)).toEqual([issue]);
    expect(issuesOf(line({ min: 0, max: 200 }), value)).toEqual([issue]);
  });

  test('that is empty or has a NUL is reported once', () => {
    expect(issuesOf(name(), ' ')).toHaveLength(1);
    expect(issuesOf(line({ min: 0, max: 9 }), ' ')).toEqual([]);
    expect(issuesOf(name(), 'a\0b')).toEqual(['must not contain NUL']);
  });

  test.each([
    'Ada Lovelace',
    "Siobhán O'Connor-Núñez",
    'Žižkov',
    'Nguye\u0302\u0303n',
    'Мария Склодовская',
    'Ελένη',
    'محمد الأمين',
    'می\u200cخواهم',
    'שרה כהן',
    '\u200fשרה (Sara)\u200f',
    'अनुष्का',
    'க்ஷ',
    'ශ්\u200dරී',
    'สมชาย',
    '王小明',
    '田中 さくら',
    '김민지',
    'ဒေါ်အောင်',
    '👩\u200d👩\u200d👧\u200d👦',
    '🏳️\u200d🌈 Pride',
    '❤️',
    '7',
    '$€',
    '\u{20bb7}田',
  ])('can be %s', (value) => {
    expect(issuesOf(name(), value)).toEqual([]);
  });
});

describe('an email', () => {
  const local64 = 'a'.repeat(64);

  test.each([
    ['ada@example.com', 'ada@example.com'],
    [' Ada+tag@Example.com ', 'Ada+tag@Example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@مثال.إختبار', 'ada@xn--mgbh0fb.xn--kgbechtv'],
    ['a.b.c@example.com', 'a.b.c@example.com'],
    ["o'connor@example.com", "o'connor@example.com"],
    ['root@localhost', 'root@localhost'],
    [`${local64}@example.com`, `${local64}@example.com`],
    [`a@${'b'.repeat(63)}.de`, `a@${'b'.repeat(63)}.de`],
  ])('can be %s', (value, stored) => {
    expect(email().parse(value)).toBe(stored);
  });

  test.each([
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    `${local64}a@example.com`,
    `a@${'b'.repeat(64)}.de`,
    `${local64}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.de`,
    'ädä@example.com',
    'a@b@bücher.example',
    'a@bücher.example:80',
    'a@bücher.example/x',
    'a@bü cher.example',
    'a@b%C3%BC.ü',
    'a@ü..de',
    'a@-ü.de/',
    `a@${'ü'.repeat(63)}.de`,
    'a@example..com',
    'a@',
    '@example.com',
    'a\u202e@example.com',
  ])('cannot be %s', (value) => {
    expect(email().safeParse(value).success).toBe(false);
  });

  test('is compared with the A-label of its domain', () => {
    expect(normalEmail('Ada@Bücher.Example')).toBe(normalEmail('ada@XN--bcher-kva.example'));
  });
});
