import { describe, expect, test } from 'vitest';
import type { AuditEntry, Change } from '../../api/records.ts';
import { mergeHistory, type OwnFact, operationSaying } from './history-rules.ts';

const operator = { type: 'operator', id: 'opr_1' } as const;
const key = { type: 'key', id: 'key_1' } as const;
const at = (seconds: number) => new Date(1_800_000_000_000 + 1000 * seconds).toISOString();

const change = (
  id: string,
  seconds: number,
  actor: Change['actor'] = operator,
  type = 'order.refunded',
) => ({ id, occurredAt: at(seconds), actor, type }) as Change;
const entry = (id: string, seconds: number, more: object = {}) =>
  ({
    ...{ id, at: at(seconds), actor: operator, result: 'done', requestId: id },
    ...{ fields: [], records: [], ...more },
  }) as unknown as AuditEntry;

const merged = (changes: Change[], entries: AuditEntry[], facts: OwnFact[] = []) =>
  mergeHistory({ changes, entries, facts }).map((each) =>
    each.kind === 'change' ? [each.id, each.audited?.id ?? null] : [each.id],
  );

test.each([
  ['exhibitor.updated', { operation: 'exhibitor.addMember' }, 'exhibitor.addMember'],
  ['exhibitor.updated', null, null],
  ['exhibitor.confirmed', { operation: 'exhibitor.confirm' }, null],
  ['order.refunded', { operation: 'order.refund' }, null],
] as const)('a change %s by %j is said in the words of %j', (type, audited, expected) => {
  expect(operationSaying({ type }, audited)).toBe(expected);
});

describe('mergeHistory', () => {
  test('makes one line of a change and the entry of the request that made it', () => {
    expect(merged([change('chg', 10)], [entry('aud', 11)])).toEqual([['chg', 'aud']]);
  });

  test('joins each entry with one change, the nearest', () => {
    const changes = [change('late', 13), change('early', 10)];
    expect(merged(changes, [entry('one', 10), entry('two', 13)])).toEqual([
      ['late', 'two'],
      ['early', 'one'],
    ]);
  });

  test.each<[string, AuditEntry]>([
    ['another actor', entry('aud', 10, { actor: { type: 'operator', id: 'opr_2' } })],
    ['another time', entry('aud', 20)],
    ['a refusal', entry('aud', 10, { result: 'refused' })],
    ['a request without an effect', entry('aud', 10, { result: 'unchanged' })],
    ['a request for a quote', entry('aud', 10, { fields: ['dryRun'] })],
  ])('keeps an entry of %s as a line of its own', (_, audit) => {
    expect(merged([change('chg', 10)], [audit]).toSorted()).toEqual([['aud'], ['chg', null]]);
  });

  test('has no entry for a change by a key', () => {
    expect(merged([change('chg', 10, key)], [entry('aud', 10)]).toSorted()).toEqual([
      ['aud'],
      ['chg', null],
    ]);
  });

  test('leaves out the beginning of a command whose end is there', () => {
    const started = entry('begin', 1, { result: 'started', requestId: 'req' });
    expect(merged([], [started, entry('end', 2, { requestId: 'req' })])).toEqual([['end']]);
    expect(merged([], [started])).toEqual([['begin']]);
  });

  test('says once what the record and an entry say before the feed has the change', () => {
    const facts = [
      { id: 'placed', at: at(1), what: 'Placed', sameAs: 'order.created' },
      { id: 'paid', at: at(20), what: 'Paid', sameAs: 'order.paid' },
    ];
    expect(merged([], [entry('aud', 20)], facts)).toEqual([['aud'], ['placed']]);
    expect(merged([], [entry('aud', 20, { result: 'refused' })], facts)).toHaveLength(3);
  });

  test('says what only an entry of one operation says, once', () => {
    const facts = [{ id: 'created', at: at(1), what: 'Created', saidBy: 'createEndpoint' }];
    const done = { operation: 'createEndpoint' };
    expect(merged([], [entry('aud', 1, done)], facts)).toEqual([['aud']]);
    for (const other of [{ operation: 'updateEndpoint' }, { ...done, result: 'refused' }]) {
      expect(merged([], [entry('aud', 1, other)], facts)).toHaveLength(2);
    }
  });

  test('says what the record itself says unless a change says it, newest first', () => {
    const facts = [
      { id: 'placed', at: at(1), what: 'Placed', sameAs: 'order.created' },
      { id: 'paid', at: at(5), what: 'Paid', sameAs: 'order.paid' },
      { id: 'checkin', at: at(9), what: 'Checked in' },
    ];
    const paid = change('chg', 5, key, 'order.paid');
    expect(merged([paid], [], facts)).toEqual([['checkin'], ['chg', null], ['placed']]);
  });
});
