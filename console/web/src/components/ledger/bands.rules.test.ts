import { expect, test } from 'vitest';
import { type EditedBand, sentenceOf } from './bands.rules.ts';

const context = {
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  ticketTypes: [
    { id: 'tt_1', name: 'Day' },
    { id: 'tt_2', name: 'VIP' },
  ],
};
const band: EditedBand = {
  end: 'days',
  daysBeforeStart: 14,
  until: null,
  percent: 80,
  fixedFee: 500,
  ticketTypeIds: [],
};

test.each<[Partial<EditedBand>, string]>([
  [{}, 'Until 14 days before the start: 80 %, minus €5.00'],
  [{ daysBeforeStart: 1, fixedFee: 0 }, 'Until 1 day before the start: 80 %'],
  [{ daysBeforeStart: 0, percent: 100, fixedFee: null }, 'Until the start: the whole price'],
  [{ daysBeforeStart: null }, 'Until … days before the start: 80 %, minus €5.00'],
  [{ percent: 0 }, 'Until 14 days before the start: nothing'],
  [{ percent: null }, 'Until 14 days before the start: … %, minus €5.00'],
  [
    { ticketTypeIds: ['tt_1', 'tt_2'] },
    'Until 14 days before the start, for Day, VIP: 80 %, minus €5.00',
  ],
  [
    { end: 'instant', until: '2027-05-01T10:00:00.000Z', fixedFee: 0 },
    'Until 1 May 2027, 12:00 CEST: 80 %',
  ],
  [{ end: 'instant', until: 'typed', fixedFee: 0 }, 'Until …: 80 %'],
  [
    { ticketTypeIds: ['tt_9'], percent: 0 },
    'Until 14 days before the start, for certain tickets: nothing',
  ],
])('a band %j reads as %s', (fields, expected) => {
  expect(sentenceOf({ ...band, ...fields }, context)).toBe(expected);
});
