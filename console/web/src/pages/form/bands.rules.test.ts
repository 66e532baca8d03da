import { describe, expect, test } from 'vitest';
import { type EditedBand, toEditedBand } from '../../components/ledger/bands.rules.ts';
import { nextBand, toBands } from './bands.rules.ts';

const band: EditedBand = {
  end: 'days',
  daysBeforeStart: 14,
  until: null,
  percent: 80,
  fixedFee: 500,
  ticketTypeIds: [],
};

describe('a band', () => {
  test('is stored with the end that was chosen', () => {
    const until = '2027-05-01T10:00:00.000Z';
    const { end: _, ...stored } = band;
    expect(toBands([{ ...band, until }])).toEqual([stored]);
    expect(toBands([{ ...band, until, end: 'instant' }])).toEqual([
      { ...stored, daysBeforeStart: null, until },
    ]);
    expect(toBands([toEditedBand({ ...stored, percent: 80, fixedFee: 500 })])).toEqual([stored]);
  });

  test('that is added ends later than the one above it', () => {
    expect(nextBand([])).toMatchObject({ daysBeforeStart: 14, percent: 100 });
    expect(nextBand([band])).toMatchObject({ daysBeforeStart: 7, percent: 40 });
  });
});
