import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { timestamp, updatedSince } from './fields.ts';
import { parseInstant } from './instant.ts';

const seven = '2027-05-10T07:00:00.000Z';

test.each([
  ['2027-05-10T07:00:00Z', seven],
  ['2027-05-10t07:00:00z', seven],
  ['2027-05-10T07:00:00z', seven],
  ['2027-05-10T07:00Z', seven],
  ['2027-05-10T09:00+02:00', seven],
  ['2027-05-10T09:00:00+02:00', seven],
  ['2027-05-10T09:00:00+0200', seven],
  ['2027-05-10T09:00:00+02', seven],
  ['2027-05-10T07:00:00+00:00', seven],
  ['2027-05-10T07:00:00-00:00', seven],
  ['2027-05-10T12:45:00+05:45', seven],
  ['2027-05-09T23:00:00-0800', seven],
  ['2027-05-09T07:01:00-23:59', seven],
  ['2027-05-10T07:00:00.1Z', '2027-05-10T07:00:00.100Z'],
  ['2027-05-10T07:00:00,123Z', '2027-05-10T07:00:00.123Z'],
  ['2027-05-10T07:00:00.123999999Z', '2027-05-10T07:00:00.123Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['2027-12-31T23:59:59+00:00', '2027-12-31T23:59:59.000Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
])('parses %s as %s', (text, instant) => {
  expect(parseInstant(text)?.toISOString()).toBe(instant);
});

test.each([
  ['no offset', '2027-05-10T07:00:00'],
  ['a date only', '2027-05-10'],
  ['a date with an offset', '2027-05-10Z'],
  ['a basic date', '20270510T070000Z'],
  ['a basic time', '2027-05-10T070000Z'],
  ['a week date', '2027-W19-1T07:00:00Z'],
  ['an ordinal date', '2027-130T07:00:00Z'],
  ['a blank for the T', '2027-05-10 07:00:00Z'],
  ['an hour alone', '2027-05-10T07Z'],
  ['a point without digits', '2027-05-10T07:00:00.Z'],
  ['ten digits of a second', '2027-05-10T07:00:00.1234567890Z'],
  ['a fraction of a minute', '2027-05-10T07:00.5Z'],
  ['a day that does not exist', '2027-02-29T00:00:00Z'],
  ['a 31st of April', '2027-04-31T00:00:00Z'],
  ['a month that does not exist', '2027-13-01T00:00:00Z'],
  ['month zero', '2027-00-10T00:00:00Z'],
  ['day zero', '2027-05-00T00:00:00Z'],
  ['hour 24', '2027-05-10T24:00:00Z'],
  ['minute 60', '2027-05-10T07:60:00Z'],
  ['a leap second', '2027-06-30T23:59:60Z'],
  ['offset hour 24', '2027-05-10T07:00:00+24:00'],
  ['offset minute 60', '2027-05-10T07:00:00+02:60'],
  ['one digit of an offset', '2027-05-10T07:00:00+2'],
  ['an offset that ends in a colon', '2027-05-10T07:00:00+02:'],
  ['a minus sign that is not ASCII', '2027-05-10T07:00:00\u221202:00'],
  ['blanks around it', ' 2027-05-10T07:00:00Z '],
  ['a line break after it', '2027-05-10T07:00:00Z\n'],
  ['a six-digit year', '+002027-05-10T07:00:00Z'],
  ['words', 'tomorrow'],
  ['nothing', ''],
])('rejects %s', (_what, text) => {
  expect(parseInstant(text)).toBeNull();
});

describe('a timestamp field', () => {
  const issuesOf = (value: unknown) =>
    z.object({ at: timestamp() }).safeParse({ at: value }).error?.issues ?? [];

  test.each(['1970-01-01T00:00:00Z', '2999-12-31T23:59:59.999Z'])('accepts %s', (value) => {
    expect(issuesOf(value)).toEqual([]);
  });

  test.each([
    ['1969-12-31T23:59:59.999Z', 'custom'],
    ['1970-01-01T00:59:59+01:00', 'custom'],
    ['3000-01-01T00:00:00Z', 'custom'],
    ['2999-12-31T23:59:59-01:00', 'custom'],
    ['2027-05-10', 'invalid_format'],
    [1_809_932_400, 'invalid_type'],
  ])('rejects %s once', (value, code) => {
    expect(issuesOf(value)).toMatchObject([{ code }]);
  });
});

describe('a timestamp in a query', () => {
  const issuesOf = (value: unknown) => updatedSince().safeParse(value).error?.issues ?? [];

  test.each(['2027-01-01T00:00:00Z', '2027-01-01T00:00:00+02:00', '2027-01-01T00:00:00-02:00'])(
    'accepts %s',
    (value) => {
      expect(issuesOf(value)).toEqual([]);
    },
  );

  test.each(['2027-01-01T00:00:00 02:00', '2027-01-01T00:00:00 0200', '2027-01-01T00:00 02'])(
    'rejects %s and says that + must be encoded',
    (value) => {
      expect(issuesOf(value)).toMatchObject([
        {
          code: 'invalid_format',
          message: 'must be sent with the + of its offset encoded as %2B',
        },
      ]);
    },
  );

  test.each(['2027-01-01 00:00:00Z', '2027-01-01 00:00:00', 'next week', ''])(
    'rejects %s without naming the encoding of +',
    (value) => {
      expect(issuesOf(value)).toMatchObject([
        { code: 'invalid_format', message: expect.not.stringContaining('%2B') },
      ]);
    },
  );
});
