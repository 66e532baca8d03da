import { expect, test } from 'vitest';
import type { Acknowledgement } from '../history/acknowledgements.ts';
import type { Query } from '../history/contradictions.ts';
import { createHistory } from '../history/history.ts';
import { acceptLoss, findLoss } from '../history/loss.ts';
import { describeLoss } from '../report.ts';

const registration = (id: string, status: 'confirmed' | 'cancelled'): Acknowledgement => ({
  kind: 'registration',
  id,
  status,
});
const payment: Acknowledgement = { kind: 'payment', id: 'pi_1', orderId: 'ord_1' };

/** Databases with these registrations and nothing else. */
const having =
  (...rows: { id: string; status: string }[]): Query =>
  async (text) =>
    // biome-ignore lint/suspicious/noExplicitAny: rows have the columns of their query.
    (text.includes('from registration.registration') ? rows : []) as any;

test('what was acknowledged and is stored is no loss, also in a later state', async () => {
  const history = createHistory();
  history.acknowledge(registration('reg_1', 'confirmed'), registration('reg_2', 'confirmed'));
  const sql = having({ id: 'reg_1', status: 'confirmed' }, { id: 'reg_2', status: 'cancelled' });
  const loss = await findLoss(sql, history, performance.now());
  expect(loss).toEqual({ records: 0, byKind: {}, spanMs: 0 });
  expect(describeLoss(loss)).toBe('0');
});

test('a missing record and one in an earlier state are lost, each once, with their age', async () => {
  const history = createHistory();
  history.acknowledge(registration('reg_1', 'confirmed'), registration('reg_1', 'cancelled'));
  history.acknowledge(registration('reg_2', 'confirmed'), payment);
  const sql = having({ id: 'reg_1', status: 'confirmed' });
  const lostAt = history.acknowledgedAt(history.acknowledgements[0] as Acknowledgement) + 4200;
  const loss = await findLoss(sql, history, lostAt);
  expect(loss).toMatchObject({ records: 2, byKind: { registration: 2 } });
  expect(loss.spanMs).toBeGreaterThan(4000);
  expect(loss.spanMs).toBeLessThanOrEqual(4200);
  expect(describeLoss({ ...loss, spanMs: 4200 })).toBe('2 of 4.2 s (registration 2)');
});

test('an accepted loss is no longer guaranteed; what follows is', async () => {
  const history = createHistory();
  history.acknowledge(registration('reg_1', 'cancelled'), registration('reg_2', 'confirmed'));
  const sql = having({ id: 'reg_1', status: 'confirmed' });
  expect(await acceptLoss(sql, history, performance.now())).toMatchObject({ records: 2 });
  expect([...history.lost]).toEqual(['reg_2']);
  expect(await findLoss(sql, history, performance.now())).toMatchObject({ records: 0 });
  history.acknowledge(registration('reg_1', 'cancelled'));
  expect(await findLoss(sql, history, performance.now())).toMatchObject({ records: 1 });
});
