import type { MovementKind } from '@event-api/contracts/operator/ledger';
import type { Database, Db } from '@event-api/platform/db/database';
import { boundsOf } from '../ledger/days.rules.ts';
import { type AccountDeps, providerOf } from '../payments/accounts/provider-of.ts';
import { timeouts } from '../timeouts.ts';
import {
  type ComparedObject,
  decideDifferences,
  type ListedDifference,
  type Money,
} from './differences.rules.ts';
import { listPosted, sumPosted } from './journal-side.queries.ts';
import { readMovements, withoutOtherBusiness } from './provider-side.ts';
import { type DueDay, storeReconciliation } from './reconciliation.queries.ts';

export interface ReconcileDeps extends AccountDeps {
  db: Database;
}

const maxListed = 1000;
const sumsPerStatement = 1000;

type Family = 'charge' | 'refund' | 'dispute';

const familyOf = (kind: MovementKind): Family => kind.replace('_returned', '') as Family;
const directionOf = (kind: MovementKind) => (kind.endsWith('_returned') ? 'returned' : 'moved');
const kindOf = (family: Family, direction: 'moved' | 'returned') =>
  (direction === 'moved' ? family : `${family}_returned`) as MovementKind;

/**
 * Compares the journal with what the provider reports of an account, for a closed day, and stores
 * the differences. A movement of the provider on the day is looked for in the whole journal, and an
 * entry of the day among what the provider has moved from three days before it to a day after it.
 * Safe to repeat: the new result replaces the old one. Errors: 503, and nothing is stored.
 * Locks: nothing. Reports: nothing.
 */
export async function reconcileDay(
  deps: ReconcileDeps,
  { provider: name, businessUnitId, day }: DueDay,
  signal?: AbortSignal,
): Promise<void> {
  const provider = await providerOf(deps, name);
  const objects = await objectsOf(deps.db, provider, name, day, signal);
  const found: ListedDifference[] = [...objects].flatMap(([family, object]) =>
    decideDifferences(object).map(({ direction, ...difference }) => ({
      kind: kindOf(family, direction),
      objectId: object.objectId,
      orderId: object.orderId,
      businessUnitId: object.businessUnitId,
      ...difference,
    })),
  );
  await storeReconciliation(deps.db, {
    ...{ provider: name, businessUnitId, day },
    compared: objects.length,
    differences: found.length,
    listed: found.slice(0, maxListed),
  });
}

/** Everything that was moved on a day by one of the two sides. */
async function objectsOf(
  db: Db,
  provider: Parameters<typeof readMovements>[0],
  name: string,
  day: string,
  signal?: AbortSignal,
): Promise<[Family, ComparedObject][]> {
  const bounds = boundsOf(day);
  const objects = new Map<string, [Family, ComparedObject]>();
  const objectAt = (kind: MovementKind, objectId: string): ComparedObject => {
    const key = `${familyOf(kind)} ${objectId}`;
    const entry = objects.get(key) ?? [familyOf(kind), emptyObject(objectId)];
    objects.set(key, entry);
    return entry[1];
  };
  const unseen = new Set<string>();
  for (const { kind, objectId } of await listPosted(db, name, bounds)) {
    objectAt(kind, objectId).isOfDay[directionOf(kind)] = true;
    unseen.add(`${kind} ${objectId}`);
  }
  const read = await readMovements(
    provider,
    {
      from: new Date(bounds.from.getTime() - timeouts.reconcileBeforeMs),
      before: new Date(bounds.before.getTime() + timeouts.reconcileAfterMs),
    },
    (page) => {
      for (const { kind, objectId } of page) unseen.delete(`${kind} ${objectId}`);
      const oldest = page.at(-1)?.movedAt;
      return oldest !== undefined && oldest < bounds.from && unseen.size === 0;
    },
    signal,
  );
  const movements = await withoutOtherBusiness(db, name, read);
  for (const { kind, objectId, movedAt } of movements) {
    const isOfDay = movedAt >= bounds.from && movedAt < bounds.before;
    if (isOfDay) objectAt(kind, objectId).isOfDay[directionOf(kind)] = true;
  }
  for (const { kind, objectId, ...money } of movements) {
    const object = objects.get(`${familyOf(kind)} ${objectId}`)?.[1];
    if (object) add(object, kind, 'there', money);
  }
  const ids = [...new Set([...objects.values()].map(([, { objectId }]) => objectId))];
  for (let start = 0; start < ids.length; start += sumsPerStatement) {
    for (const row of await sumPosted(db, name, ids.slice(start, start + sumsPerStatement))) {
      const object = objects.get(`${familyOf(row.kind)} ${row.objectId}`)?.[1];
      if (!object) continue;
      object.orderId = row.orderId;
      object.businessUnitId = row.businessUnitId;
      add(object, row.kind, 'here', row);
    }
  }
  return [...objects.values()];
}

const emptyObject = (objectId: string): ComparedObject => ({
  objectId,
  orderId: null,
  businessUnitId: null,
  moved: { here: null, there: null },
  returned: { here: null, there: null },
  isOfDay: { moved: false, returned: false },
});

/** Adds money to one side of an object. All movements of an object have its currency. */
function add(
  object: ComparedObject,
  kind: MovementKind,
  side: 'here' | 'there',
  { amount, currency }: Money,
): void {
  const sides = object[directionOf(kind)];
  sides[side] = { amount: (sides[side]?.amount ?? 0) + amount, currency };
}
