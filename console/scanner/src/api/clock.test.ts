import { describe, expect, test } from 'vitest';
import { decisionTime, type Moment, platformTime, timeOf } from './clock.ts';

const noon = Date.parse('2027-05-10T12:00:00.000Z');
const minute = 60_000;
const hour = 60 * minute;

/** The moment `laterMs` after noon, with what differs from a device whose clock is right. */
const momentAt = (laterMs: number, differences: Partial<Moment> = {}): Moment => ({
  wallMs: noon + laterMs,
  pageMs: 1000 + laterMs,
  pageId: 'first',
  offsetMs: 0,
  ...differences,
});

describe('timeOf returns the time of a scan by the clock of its batch', () => {
  test.each<[string, Moment, Moment, { ageMs: number; uncertaintyMs: number }]>([
    ['right away', momentAt(0), momentAt(0), { ageMs: 0, uncertaintyMs: 0 }],
    ['an hour later', momentAt(0), momentAt(hour), { ageMs: hour, uncertaintyMs: 0 }],
    [
      'after the device slept, when the page measures no time',
      momentAt(0),
      momentAt(hour, { pageMs: 1000 }),
      { ageMs: hour, uncertaintyMs: 0 },
    ],
    [
      'after the clock was set five minutes forward',
      momentAt(0, { offsetMs: 5 * minute }),
      momentAt(hour, { wallMs: noon + hour + 5 * minute }),
      { ageMs: hour, uncertaintyMs: 0 },
    ],
    [
      'after the clock was set five minutes back',
      momentAt(0, { offsetMs: -5 * minute }),
      momentAt(minute, { wallMs: noon - 4 * minute }),
      { ageMs: minute, uncertaintyMs: 0 },
    ],
    [
      'by a page that was opened again',
      momentAt(0),
      momentAt(hour, { pageId: 'second', pageMs: 50 }),
      { ageMs: hour, uncertaintyMs: 0 },
    ],
    [
      'by a page that was opened again after the clock was set five minutes forward',
      momentAt(0, { offsetMs: 5 * minute }),
      momentAt(hour, { wallMs: noon + hour + 5 * minute, pageId: 'second', pageMs: 50 }),
      { ageMs: hour, uncertaintyMs: 0 },
    ],
    [
      'after the device slept and its clock was then corrected by three seconds',
      momentAt(0, { offsetMs: 3000 }),
      momentAt(hour, { wallMs: noon + hour + 3000, pageMs: 1000 }),
      { ageMs: hour, uncertaintyMs: 0 },
    ],
    [
      'after the clock was set back, when the response came late: never in the future',
      momentAt(0, { offsetMs: 0 }),
      momentAt(0, { offsetMs: -2500 }),
      { ageMs: 0, uncertaintyMs: 0 },
    ],
    [
      'exactly, although the responses before and after it show the clock to a second only',
      momentAt(0, { offsetMs: 480 }),
      momentAt(minute, { offsetMs: -490 }),
      { ageMs: minute, uncertaintyMs: 0 },
    ],
    [
      'without a response before the scan, by a page that was opened again: it may be a day off',
      momentAt(0, { offsetMs: null }),
      momentAt(hour, { pageId: 'second', pageMs: 50 }),
      { ageMs: hour, uncertaintyMs: 24 * hour },
    ],
    [
      'without a response before the scan: either the device slept or the clock was set',
      momentAt(0, { offsetMs: null }),
      momentAt(hour, { pageMs: 1000 + minute }),
      { ageMs: minute, uncertaintyMs: 59 * minute },
    ],
  ])('%s', (_, past, sent, { ageMs, uncertaintyMs }) => {
    const { at, uncertaintyMs: uncertainty } = timeOf(past, sent);
    expect([sent.wallMs - at.getTime(), uncertainty]).toEqual([ageMs, uncertaintyMs]);
  });
});

test.each([
  [0, '2027-05-10T12:00:00.000Z'],
  [-5 * minute, '2027-05-10T11:55:00.000Z'],
  [null, null],
])('a time is shown by the clock of the platform, or not at all: %s', (offsetMs, shown) => {
  const moment = momentAt(0, { offsetMs });
  expect(platformTime(moment)).toBe(shown);
  expect(decisionTime(moment).toISOString()).toBe(shown ?? '2027-05-10T12:00:00.000Z');
});
