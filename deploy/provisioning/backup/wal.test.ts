import { describe, expect, test } from 'vitest';
import {
  missingSegments,
  obsoleteSegments,
  parseHistory,
  parseSegment,
  segmentName,
} from './wal.ts';

const MEGABYTE = 2 ** 20;
const segmentBytes = 16 * MEGABYTE;
const first = [{ timeline: 1, first: 0 }];
/** Names of segments such as `1/4`: timeline 1, number 4. */
const named = (...short: string[]) =>
  short.map((each) => {
    const [timeline, number] = each.split('/').map(Number);
    return segmentName({ timeline: timeline ?? 0, number: number ?? 0 }, segmentBytes);
  });

test.each([
  { name: '000000010000000000000001', bytes: segmentBytes, timeline: 1, number: 1 },
  { name: '0000000A00000001000000FF', bytes: segmentBytes, timeline: 10, number: 511 },
  { name: '000000010000000100000003', bytes: 1024 * MEGABYTE, timeline: 1, number: 7 },
])('the name $name has a timeline and a number', ({ name, bytes, timeline, number }) => {
  expect(parseSegment(name, bytes)).toEqual({ timeline, number });
  expect(segmentName({ timeline, number }, bytes)).toBe(name);
});

test.each([
  '00000002.history',
  '000000010000000000000002.00000028.backup',
  '000000010000000000000005.partial',
])('%s is no segment', (name) => {
  expect(parseSegment(name, segmentBytes)).toBeUndefined();
});

test('a history says where each timeline begins', () => {
  const history = '1\t0/5000148\tno recovery target specified\n\n2\t1/2000000\tbefore 2026\n';
  expect(parseHistory(3, history, segmentBytes)).toEqual([
    { timeline: 1, first: 0 },
    { timeline: 2, first: 5 },
    { timeline: 3, first: 258 },
  ]);
});

describe('missing segments', () => {
  const second = [...first, { timeline: 2, first: 5 }];
  test.each([
    { title: 'none', archived: named('1/2', '1/3', '1/4'), missing: [] },
    { title: 'the first', archived: named('1/3', '1/4'), missing: named('1/2') },
    { title: 'the last of the backup', archived: named('1/2'), missing: named('1/3') },
    { title: 'one after the backup', archived: named('1/2', '1/3', '1/5'), missing: named('1/4') },
    { title: 'all', archived: [], missing: named('1/2', '1/3') },
    {
      title: 'none of the earlier timeline after the later one begins',
      archived: named('1/2', '1/3', '1/4', '1/5', '1/6', '2/5'),
      timelines: second,
      missing: [],
    },
    {
      title: 'the one in which a timeline begins',
      archived: named('1/2', '1/3', '1/4', '1/5', '2/6'),
      timelines: second,
      missing: named('2/5'),
    },
    {
      title: 'none of the later timeline on the way to the earlier one',
      archived: named('1/2', '1/3', '1/4', '2/5', '2/7'),
      missing: [],
    },
  ])('$title', ({ archived, missing, timelines = first }) => {
    const [start, stop] = [
      { timeline: 1, number: 2 },
      { timeline: 1, number: 3 },
    ];
    expect(missingSegments({ start, stop, archived, timelines, segmentBytes })).toEqual(missing);
  });
});

test('segments before the oldest backup are obsolete, histories are not', () => {
  const archived = [...named('1/2', '1/3', '2/3', '1/4', '2/5'), '00000002.history'];
  expect(obsoleteSegments(archived, { timeline: 2, number: 4 }, segmentBytes)).toEqual(
    named('1/2', '1/3', '2/3'),
  );
});
