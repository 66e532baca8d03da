import { describe, expect, test } from 'vitest';
import { actionOf, actorsOf, recordFilter, whoOf } from './audit.rules.ts';

describe('an entry of the audit log', () => {
  test.each([
    ['order.refund', 'Refund order'],
    ['member.setRole', 'Set role of member'],
    ['refundPolicy.set', 'Set refund policy'],
    ['updateTicketType', 'Update ticket type'],
    ['createEvent', 'Create event'],
  ])('says %s in words', (operation, action) => {
    expect(actionOf(operation)).toBe(action);
  });

  test('is found by its event or its record', () => {
    expect(recordFilter(' evt_1 ')).toEqual({ eventId: 'evt_1' });
    expect(recordFilter('ord_1')).toEqual({ record: 'ord_1' });
    expect([recordFilter(' '), recordFilter(undefined)]).toEqual([{}, {}]);
  });
});

const olivia = { actor: { type: 'operator', id: 'opr_1' }, actorName: 'Olivia' } as const;
const former = { actor: { type: 'operator', id: 'opr_2' }, actorName: null } as const;
const root = { actor: { type: 'cli', id: 'root' }, actorName: null } as const;
const nobody = { actor: { type: 'cli', id: null }, actorName: null } as const;

test.each([
  [olivia, 'Olivia'],
  [former, 'opr_2'],
  [root, 'Command line: root'],
  [nobody, 'Command line'],
])('an entry of %j names %s', (entry, name) => {
  expect(whoOf(entry)).toBe(name);
});

describe('the people of the filter', () => {
  const member = { operatorId: 'opr_3', name: 'Max' };

  test('are those of the entries, also of the command line, and the members, each once', () => {
    expect(actorsOf([olivia, root, nobody, root], [member], 'root')).toEqual([
      { value: 'root', label: 'Command line: root' },
      { value: 'opr_1', label: 'Olivia' },
      { value: 'opr_3', label: 'Max' },
    ]);
  });

  test.each([
    ['ci', 'Command line: ci'],
    ['opr_3', 'Max'],
    ['opr_9', 'opr_9'],
  ])('include the chosen one, %s, although no entry is shown', (chosen, label) => {
    expect(actorsOf([], [member], chosen)).toContainEqual({ value: chosen, label });
  });
});
