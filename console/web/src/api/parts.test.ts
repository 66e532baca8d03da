import { expect, test } from 'vitest';
import { partOf } from './parts.ts';

test.each([
  ['v1/events/evt_1', 'catalog'],
  ['v1/events/evt_1/registrations/reg_1', 'registration'],
  ['v1/events/evt_1/ticket-types/tt_1/availability', 'registration'],
  ['v1/events/evt_1/orders', 'commerce'],
  ['refund.list', 'commerce'],
  ['registration.search', 'registration'],
  ['v1/events/evt_1/checkins/summary', 'onsite'],
  ['v1/webhook-endpoints', 'changes'],
  ['key.list', 'keys'],
  ['member.list', 'console'],
  ['audit', 'console'],
  ['perk.list', 'catalog'],
  ['perk.listCodes', 'registration'],
  ['perk.grant', 'registration'],
  ['code.listBatches', 'registration'],
  ['change.find', 'changes'],
])('%s is served by %s', (operation, part) => {
  expect(partOf(operation)).toBe(part);
});
