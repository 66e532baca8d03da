import { expect, test } from 'vitest';
import { zoneChoices } from './zones.ts';

test('the likely zones are first and once, the others by part of the world with their place first', () => {
  const all = [
    'America/Indiana/Knox',
    'America/Sao_Paulo',
    'Asia/Tokyo',
    'Europe/Berlin',
    'Europe/Athens',
    'UTC',
  ];
  expect(zoneChoices(['Europe/Berlin', 'Europe/Berlin', 'UTC'], all)).toEqual([
    { value: 'Europe/Berlin', label: 'Europe/Berlin' },
    { value: 'UTC', label: 'UTC' },
    { value: 'America/Indiana/Knox', label: 'Knox, Indiana', group: 'America' },
    { value: 'America/Sao_Paulo', label: 'Sao Paulo', group: 'America' },
    { value: 'Asia/Tokyo', label: 'Tokyo', group: 'Asia' },
    { value: 'Europe/Athens', label: 'Athens', group: 'Europe' },
  ]);
});
