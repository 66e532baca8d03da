import { forwardedOperations } from '@event-api/contracts/http/operations';
import { isMutation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { describe, expect, test } from 'vitest';
import { auditSentences, donePast, quoteSentences } from '../../text/audit-sentences.ts';
import {
  actionOf,
  actorsOf,
  byDay,
  initialsOf,
  plainSentence,
  recordFilter,
  sentenceOf,
  statusChangeOf,
  whoOf,
} from './audit.rules.ts';

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
  [{ actor: { type: 'system', id: 'sweep-unfinished' }, actorName: null } as const, 'The platform'],
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

test('entries are grouped by the day of the zone, in their order', () => {
  const [late, noon, before] = [
    { at: '2027-05-10T22:30:00.000Z' },
    { at: '2027-05-10T10:00:00.000Z' },
    { at: '2027-05-09T21:00:00.000Z' },
  ];
  expect(byDay([late, noon, before], 'Europe/Berlin')).toEqual([
    { title: '11 May 2027', rows: [late] },
    { title: '10 May 2027', rows: [noon] },
    { title: '9 May 2027', rows: [before] },
  ]);
});

describe('the status before and after an entry', () => {
  const at = (second: number) => `2027-05-10T10:00:${String(second).padStart(2, '0')}.000Z`;
  const person = { type: 'operator', id: 'opr_1' } as const;
  const entry = { at: at(10), actor: person, result: 'done' } as const;
  const change = (
    second: number,
    before: string | null,
    after: string | null,
    actor: object = person,
  ) =>
    ({
      occurredAt: at(second),
      actor,
      previous: before && { status: before },
      current: after && { status: after },
    }) as Parameters<typeof statusChangeOf>[1][number];
  test.each([
    ['that of its change', [change(10, 'draft', 'open')], { before: 'draft', after: 'open' }],
    ['none before for a new record', [change(11, null, 'held')], { before: null, after: 'held' }],
    [
      'those of the nearest change',
      [change(13, 'open', 'closed'), change(11, 'draft', 'open')],
      { before: 'draft', after: 'open' },
    ],
    ['nothing if the status is the same', [change(10, 'open', 'open')], null],
    ['nothing for a later change', [change(20, 'draft', 'open')], null],
    ['nothing for another actor', [change(10, 'draft', 'open', { type: 'key', id: 'k' })], null],
    ['nothing without changes', [], null],
  ])('are %s', (_, changes, expected) => {
    expect(statusChangeOf(entry, changes)).toEqual(expected);
  });

  test('are unknown for a request that was refused', () => {
    expect(
      statusChangeOf({ ...entry, result: 'refused' }, [change(10, 'draft', 'open')]),
    ).toBeNull();
  });
});

describe('the sentence about an entry', () => {
  const names = new Map([
    ['evt_1', 'Summit'],
    ['tt_1', 'Seat'],
    ['reg_1', 'Ada'],
    ['exh_1', 'Engines'],
  ]);
  test.each([
    ['createTicketType', ['tt_1'], [], 'done', 'Created the ticket type Seat'],
    [
      'updateTicketType',
      ['tt_1'],
      ['priceAmount', 'name'],
      'done',
      'Changed the price and name of the ticket type Seat',
    ],
    ['updateEvent', [], ['startsAt'], 'done', 'Changed the start of Summit'],
    ['updateEvent', [], [], 'done', 'Changed the details of Summit'],
    [
      'exhibitor.addMember',
      ['exh_1', 'reg_1'],
      ['role'],
      'done',
      'Put Ada on the roster of the exhibitor Engines',
    ],
    ['perk.bind', ['tt_1', 'perk_000000aa'], [], 'done', 'Gave the perk perk_…0000aa to Seat'],
    ['device.pair', [], ['name'], 'done', 'Paired the scanner'],
    ['order.refund', ['ord_00000001'], [], 'refused', 'Tried to refund the order ord_…000001'],
    [
      'registration.confirm',
      ['reg_1'],
      [],
      'started',
      'Began to confirm the registration of Ada without a payment',
    ],
    [
      'changeOrder',
      ['ord_00000001'],
      ['dryRun', 'cancelSeats'],
      'done',
      'Asked for a quote of a change of the order ord_…000001',
    ],
    ['changeOrder', ['ord_1', 'quo_1'], [], 'done', 'Changed the order ord_…ord_1 by a quote'],
    [
      'changeOrder',
      ['ord_1', 'quo_1'],
      ['dryRun'],
      'refused',
      'Tried to change the order ord_…ord_1 by a quote',
    ],
    ['form.set', [], ['questions'], 'unchanged', 'Changed the form'],
    ['someThing.new', ['tt_1'], [], 'done', 'New some thing'],
  ] as const)(
    'of %s with %j and %j, %s, is "%s…"',
    (operation, records, fields, result, sentence) => {
      const entry = {
        operation,
        records: [...records],
        fields: [...fields],
        result,
        eventId: 'evt_1',
      };
      expect(plainSentence(sentenceOf(entry), names)).toBe(sentence);
    },
  );

  test('exists for every operation that the log can contain', () => {
    const changing = [...forwardedOperations, ...operatorOperations].filter(isMutation);
    const missing = changing
      .map(({ config }) => config.operationId)
      .filter((operation) => auditSentences[operation] === undefined);
    expect(changing.length).toBeGreaterThan(80);
    expect([...new Set(missing)]).toEqual([]);
    const operations = new Set(changing.map(({ config }) => config.operationId));
    // The console writes these itself.
    const own = /^(invitation\.accept|passkey\.(add|remove)|\w+\.export)$/;
    const unknown = Object.keys(auditSentences).filter(
      (name) => !operations.has(name) && !own.test(name),
    );
    expect(unknown).toEqual([]);
  });

  test('has a past of each verb', () => {
    const sentences = [auditSentences, quoteSentences].flatMap((each) => Object.values(each));
    const verbs = sentences.map((sentence) => sentence.split(' ')[0] ?? '');
    expect(verbs.filter((verb) => donePast[verb] === undefined)).toEqual([]);
    expect(Object.keys(donePast).filter((verb) => !verbs.includes(verb))).toEqual([]);
  });
});

test.each([
  ['Olivia Owner', 'OO'],
  ['Ada', 'A'],
  ['Marie van der Berg', 'MB'],
  ['  ', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
