import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestData } from '@event-api/tools/load/test-data';
import { afterAll, expect, test } from 'vitest';
import { readTestData } from '../read-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-load-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const door = { subjectType: 'event', subjectId: 'evt_1' } as const;
const data: TestData = {
  scenario: 'smoke',
  baseUrl: 'http://gateway:8080',
  run: 'one',
  rate: 2,
  seconds: 3,
  seats: 1,
  hesitation: 0,
  isFree: true,
  events: [
    {
      businessUnitId: 'unit_1',
      keys: ['sk_live_1'],
      eventId: 'evt_1',
      ticketTypeId: 'tt_1',
      scarceTypeId: 'tt_2',
      paidTypeId: 'tt_3',
      badges: [],
      doors: [door],
      devices: [{ token: 'dk_live_1', door }],
    },
  ],
};

function fileWith(text: string): string {
  const file = join(folder, 'test-data.json');
  writeFileSync(file, text);
  return file;
}

test('readTestData returns the output of load.prepare', () => {
  expect(readTestData(fileWith(JSON.stringify(data)), 'smoke')).toEqual(data);
});

test.each([
  ['another scenario', JSON.stringify(data), 'soak', 'was prepared for smoke, not for soak'],
  ['no JSON', 'Idempotency-Key', 'smoke', 'cannot read'],
  ['a part of it', JSON.stringify({ ...data, events: [] }), 'smoke', 'events'],
  ['something else', '{"id":"unit_1"}', 'smoke', 'not the output of load.prepare: scenario'],
] as const)('readTestData rejects %s', (_what, text, name, message) => {
  expect(() => readTestData(fileWith(text), name)).toThrow(message);
});

test('readTestData rejects a file that does not exist', () => {
  expect(() => readTestData(join(folder, 'nowhere.json'), 'smoke')).toThrow('cannot read');
});
