import { limits } from '@event-api/contracts/http/fields';

/**
 * Valid values of a kind of field with their stored values, and invalid ones with the code of the
 * issue.
 */
export interface FieldCases {
  good: readonly (readonly [what: string, sent: unknown, stored: unknown])[];
  bad: readonly (readonly [what: string, sent: unknown, code: string])[];
}

/** The same cases for a field that `null` clears. */
export const nullable = ({ good, bad }: FieldCases): FieldCases => ({
  good: [...good, ['null', null, null]],
  bad: bad.filter(([, sent]) => sent !== null),
});

const emoji = '😀';

function textCases(max: number): FieldCases {
  return {
    good: [
      ['one character', 'x', 'x'],
      ['one character beyond the BMP', emoji, emoji],
      [`${max} characters`, 'x'.repeat(max), 'x'.repeat(max)],
      [`${max} characters beyond the BMP`, emoji.repeat(max), emoji.repeat(max)],
      [`${max} characters between blanks`, `  ${'x'.repeat(max)}\n`, 'x'.repeat(max)],
      ['blanks around it, which go', '\t\u00a0 x y \u2003\n', 'x y'],
      ['any script', 'Žluťoučkýкіньשרה', 'Žluťoučkýкіньשרה'],
      ["SQL's and HTML's own characters", `'"; --<b>%s\\`, `'"; --<b>%s\\`],
    ],
    bad: [
      [`${max + 1} characters`, 'x'.repeat(max + 1), 'too_big'],
      [`${max + 1} characters beyond the BMP`, emoji.repeat(max + 1), 'too_big'],
      ['NUL', 'a\0b', 'invalid_value'],
      ['a lone surrogate', 'a\ud800', 'invalid_value'],
      ['a surrogate pair in the wrong order', '\ude00\ud83d', 'invalid_value'],
      ['a number', 5, 'invalid_type'],
      ['a list', ['x'], 'invalid_type'],
      ['null', null, 'invalid_type'],
    ],
  };
}

const anyText = textCases(limits.textLength);
const anyName = textCases(limits.nameLength);

export const nameCases: FieldCases = {
  good: anyName.good,
  bad: [
    ...anyName.bad,
    ['nothing', '', 'too_small'],
    ['blanks only', ' \t\n\u3000', 'too_small'],
    ['no visible character', '\u200b', 'invalid_value'],
    ['a control character', 'a\u0007b', 'invalid_value'],
    ['a line break', 'line\nbreak', 'invalid_value'],
    ['an override of the direction', 'a\u202eb', 'invalid_value'],
  ],
};

export const descriptionCases: FieldCases = nullable({
  good: [...anyText.good, ['nothing', '', ''], ['blanks only, which go', ' \n', '']],
  bad: anyText.bad,
});

function integerCases(min: number, max: number): FieldCases {
  return {
    good: [
      ['the least', min, min],
      ['the most', max, max],
    ],
    bad: [
      ['less than the least', min - 1, 'too_small'],
      ['more than the most', max + 1, 'too_big'],
      ['a fraction', 1.5, 'invalid_type'],
      ['a text', '5', 'invalid_type'],
      ['true', true, 'invalid_type'],
      ['a list', [5], 'invalid_type'],
      ['null', null, 'invalid_type'],
    ],
  };
}

export const capacityCases = nullable(integerCases(1, limits.capacity));
export const amountCases = integerCases(0, limits.amount);
export const sortOrderCases = integerCases(0, limits.sortOrder);

export const flagCases: FieldCases = {
  good: [
    ['true', true, true],
    ['false', false, false],
  ],
  bad: [
    ['a text', 'true', 'invalid_type'],
    ['a number', 1, 'invalid_type'],
    ['null', null, 'invalid_type'],
  ],
};

const utc = '2027-05-10T07:00:00.000Z';

export const instantCases: FieldCases = nullable({
  good: [
    ['UTC', '2027-05-10T07:00:00Z', utc],
    ['an offset', '2027-05-10T09:00:00+02:00', utc],
    ['lower-case letters', '2027-05-10t07:00:00z', utc],
    ['no seconds', '2027-05-10T07:00Z', utc],
    ['an offset without a colon', '2027-05-10T09:00:00+0200', utc],
    ['an offset of hours', '2027-05-10T09:00:00+02', utc],
    ['an offset with minutes', '2027-05-10T12:45:00+05:45', utc],
    ['a negative offset across midnight', '2027-05-09T23:00:00-08:00', utc],
    ['milliseconds', '2027-05-10T07:00:00.123Z', '2027-05-10T07:00:00.123Z'],
    ['nanoseconds, which are cut', '2027-05-10T07:00:00.123999999Z', '2027-05-10T07:00:00.123Z'],
    ['a leap day', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['the first instant', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['the last instant', '2999-12-31T23:59:59.999Z', '2999-12-31T23:59:59.999Z'],
  ],
  bad: [
    ['no offset', '2027-05-10T07:00:00', 'invalid_format'],
    ['a date only', '2027-05-10', 'invalid_format'],
    ['a basic date', '20270510T070000Z', 'invalid_format'],
    ['a week date', '2027-W19-1T07:00:00Z', 'invalid_format'],
    ['a day that does not exist', '2027-02-29T00:00:00Z', 'invalid_format'],
    ['a month that does not exist', '2027-13-01T00:00:00Z', 'invalid_format'],
    ['an hour that does not exist', '2027-05-10T24:00:00Z', 'invalid_format'],
    ['an offset that does not exist', '2027-05-10T07:00:00+24:00', 'invalid_format'],
    ['words', 'tomorrow', 'invalid_format'],
    ['nothing', '', 'invalid_format'],
    ['a millisecond before 1970', '1969-12-31T23:59:59.999Z', 'invalid_value'],
    ['1970 only by its offset', '1970-01-01T00:59:59+01:00', 'invalid_value'],
    ['the year 3000', '3000-01-01T00:00:00Z', 'invalid_value'],
    ['the year 2999 only by its offset', '2999-12-31T23:59:59-01:00', 'invalid_value'],
    ['a six-digit year', '+002027-05-10T07:00:00Z', 'invalid_format'],
    ['seconds since 1970', 1_809_932_400, 'invalid_type'],
  ],
});

export const timezoneCases: FieldCases = {
  good: [
    ['its name', 'Europe/Berlin', 'Europe/Berlin'],
    ['another letter case', 'eUROPE/bERLIN', 'Europe/Berlin'],
    ['UTC', 'UTC', 'UTC'],
    ['another name of UTC', 'etc/utc', 'Etc/UTC'],
    ['a new name', 'Europe/Kyiv', 'Europe/Kyiv'],
    ['an old name', 'Europe/Kiev', 'Europe/Kiev'],
    ['a name that runtimes spell in the old way', 'Asia/Kolkata', 'Asia/Kolkata'],
    ['the old way itself', 'Asia/Calcutta', 'Asia/Calcutta'],
    ['a link', 'us/pacific', 'US/Pacific'],
    ['an abbreviation that is a name', 'EST', 'EST'],
    ['three parts', 'america/argentina/ushuaia', 'America/Argentina/Ushuaia'],
    ['a fixed zone that has a name', 'Etc/GMT+2', 'Etc/GMT+2'],
  ],
  bad: [
    ['an offset', '+02:00', 'invalid_value'],
    ['an offset of UTC', 'UTC+2', 'invalid_value'],
    ['an abbreviation that is not a name', 'CEST', 'invalid_value'],
    ['an abbreviation of several zones', 'BST', 'invalid_value'],
    ['an unknown name', 'Europe/Atlantis', 'invalid_value'],
    ['blanks around it', ' Europe/Berlin ', 'invalid_value'],
    ['NUL', 'Europe/Berlin\0', 'invalid_value'],
    ['nothing', '', 'invalid_value'],
    ['too long a name', 'Europe/'.repeat(1000), 'invalid_value'],
    ['a number', 1, 'invalid_type'],
    ['null', null, 'invalid_type'],
  ],
};

export const currencyCases: FieldCases = {
  good: [
    ['euro', 'EUR', 'EUR'],
    ['yen', 'JPY', 'JPY'],
    ['dinar', 'KWD', 'KWD'],
  ],
  bad: [
    ['lower case', 'eur', 'invalid_value'],
    ['an unknown code', 'ABC', 'invalid_value'],
    ['a metal', 'XAU', 'invalid_value'],
    ['a withdrawn one', 'DEM', 'invalid_value'],
    ['a test code', 'XTS', 'invalid_value'],
    ['a sign', '€', 'invalid_value'],
    ['a number', 978, 'invalid_value'],
    ['null', null, 'invalid_value'],
  ],
};
