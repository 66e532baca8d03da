import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeOwners } from '@event-api/contracts/topology';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/**
 * Statuses that the feed does not report: those that follow from other records (`paymentStates` of
 * commerce and the registrations of an order decide them, and its refunds show a change of it), and those of
 * devices, which are credentials as keys are.
 */
const unreported = [
  'paymentAttemptStatuses',
  'seatStatuses',
  'orderChangeStatuses',
  'deviceStates',
];

const lists = ['contracts/src/http', 'contracts/src/operator'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...read(`${folder}/${file}`).matchAll(/^export const (\w+(?:Statuses|States)) =/gm),
    ])
    .map(([, name = '']) => name),
);

test('the tests of changes enumerate every list of statuses of the contracts', () => {
  const files = changeOwners.map((owner) => `services/${owner}/test/changes.test.ts`);
  // The feed reports its own records without a log.
  const tests = [...files, 'services/changes/test/webhooks.test.ts'].map(read).join();
  expect(lists.length).toBeGreaterThan(5);
  // The first occurrence is the import.
  const isUsed = (name: string) => tests.split(new RegExp(`\\b${name}\\b`)).length > 2;
  expect(lists.filter((name) => !unreported.includes(name) && !isUsed(name))).toEqual([]);
});
