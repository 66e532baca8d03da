import type { Acknowledgement } from './acknowledgements.ts';
import { contradictionsOf, type Query } from './contradictions.ts';
import type { History } from './history.ts';

/** The acknowledged writes that the loss of a database has cost. */
export interface Loss {
  /** Records whose acknowledged state is gone. */
  records: number;
  /** By kind of record. */
  byKind: Partial<Record<Acknowledgement['kind'], number>>;
  /** The time between the oldest lost acknowledgement and the loss. */
  spanMs: number;
}

export const noLoss: Loss = { records: 0, byKind: {}, spanMs: 0 };

/** What a response acknowledges as stored. A payment is stored at the provider. */
const stored = ['registration', 'order', 'checkin', 'code', 'refund', 'change'] as const;

/**
 * Counts the acknowledged records that the databases do not have any more. Errors: PostgreSQL's.
 */
export async function findLoss(sql: Query, history: History, lostAt: number): Promise<Loss> {
  return describeLoss(await findLost(sql, history), history, lostAt);
}

/**
 * Like `findLoss`, right after a restore and before clients are served again. What is lost is no
 * longer guaranteed from then on.
 */
export async function acceptLoss(sql: Query, history: History, lostAt: number): Promise<Loss> {
  const lost = await findLost(sql, history);
  const found = new Map<string, Acknowledgement>();
  for (const each of lost) {
    history.undone.add(each.acknowledgement);
    if (each.isMissing) found.set(each.acknowledgement.id, each.acknowledgement);
  }
  for (const id of found.keys()) history.lost.add(id);
  return describeLoss(lost, history, lostAt);
}

interface Lost {
  acknowledgement: Acknowledgement;
  /** The record does not exist; otherwise it is in an earlier state. */
  isMissing: boolean;
}

async function findLost(sql: Query, history: History): Promise<Lost[]> {
  const found = [];
  for (const kind of stored) found.push(...(await contradictionsOf(kind, sql, history)));
  return found.map(({ acknowledgement, why }) => ({
    acknowledgement,
    isMissing: why === 'it does not exist',
  }));
}

function describeLoss(lost: readonly Lost[], history: History, lostAt: number): Loss {
  const byId = new Map(lost.map(({ acknowledgement }) => [acknowledgement.id, acknowledgement]));
  const byKind: Loss['byKind'] = {};
  for (const { kind } of byId.values()) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const times = lost.map(({ acknowledgement }) => history.acknowledgedAt(acknowledgement));
  return {
    records: byId.size,
    byKind,
    spanMs: times.length === 0 ? 0 : Math.max(0, lostAt - Math.min(...times)),
  };
}
