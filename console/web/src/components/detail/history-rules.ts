import type { AuditEntry, Change } from '../../api/records.ts';

type Actor = Change['actor'];

/**
 * A fact from the record, hidden if a change already shows it.
 */
export interface OwnFact {
  id: string;
  at: string;
  what: string;
  who?: string | null;
  note?: string | null;
  /** The type of the change that says the same. */
  sameAs?: string;
  /**
   * The operation whose entry of the audit log says the same, where the feed has no such change.
   */
  saidBy?: string;
  /**
   * It says more than a change of these types: the change at the same time has its words. With
   * `isLater`, it is not known when it happened after `at`: the first such change that no other
   * fact names has its words, and without one it is left out.
   */
  names?: { types: readonly string[]; isLater: boolean };
}

/** One line of the history of a record. */
export type Happening =
  | { kind: 'fact'; id: string; at: string; fact: OwnFact }
  | {
      kind: 'change';
      id: string;
      at: string;
      change: Change;
      /** What the record itself says about this change. */
      fact: OwnFact | null;
      /** What a person did that made this change. */
      audited: AuditEntry | null;
    }
  | { kind: 'audit'; id: string; at: string; entry: AuditEntry };

/**
 * The operation that says more than the change that it made; null if the change says it. An update
 * has no words of its own: it may be another name or a new booth.
 */
export const operationSaying = (
  { type }: Pick<Change, 'type'>,
  audited: Pick<AuditEntry, 'operation'> | null,
): string | null => (audited !== null && type.endsWith('.updated') ? audited.operation : null);

/** Whether a request only asked what a change would do. The one that executes a quote names it. */
export const isQuote = ({ fields, records }: Pick<AuditEntry, 'fields' | 'records'>): boolean =>
  fields.includes('dryRun') && !records.some((id) => id.startsWith('quo_'));

/** An entry of the audit log and the change that it made are written in one transaction. */
const sameTransactionMs = 5000;

/**
 * Assigns each fact that names a change to one change, the nearest in time; then those that
 * happened later.
 */
function nameChanges(
  changes: readonly Change[],
  facts: readonly OwnFact[],
): ReadonlyMap<string, OwnFact> {
  const pairs = facts
    .flatMap((fact) =>
      changes
        .filter(({ type }) => fact.names?.types.includes(type))
        .map((change) => {
          const isLater = fact.names?.isLater ?? false;
          const passed = Date.parse(change.occurredAt) - Date.parse(fact.at);
          return { fact, change, isLater, passed };
        }),
    )
    .filter(({ isLater, passed }) =>
      isLater ? passed >= 0 : Math.abs(passed) <= sameTransactionMs,
    )
    .toSorted(
      (one, other) =>
        Number(one.isLater) - Number(other.isLater) ||
        Math.abs(one.passed) - Math.abs(other.passed),
    );
  const named = new Map<string, OwnFact>();
  const used = new Set<string>();
  for (const { fact, change } of pairs) {
    if (named.has(change.id) || used.has(fact.id)) continue;
    named.set(change.id, fact);
    used.add(fact.id);
  }
  return named;
}

const isSameActor = (one: Actor, other: Actor): boolean =>
  one.type === other.type && one.id === other.id;

/**
 * Merges what the feed, the audit log and the record itself say, each thing once. A change and the
 * entry of the request that made it become one line, and so do a fact and the entry while the feed
 * has no change of it yet. The beginning of a command whose end is there is left out.
 */
export function mergeHistory({
  changes,
  entries,
  facts,
}: {
  changes: readonly Change[];
  entries: readonly AuditEntry[];
  facts: readonly OwnFact[];
}): Happening[] {
  const ended = new Set(
    entries.filter(({ result }) => result !== 'started').map(({ requestId }) => requestId),
  );
  const open = new Set(
    entries.filter(({ result, requestId }) => result !== 'started' || !ended.has(requestId)),
  );
  const madeBy = (change: Change): AuditEntry | null => {
    const at = Date.parse(change.occurredAt);
    const distance = (entry: AuditEntry) => Math.abs(Date.parse(entry.at) - at);
    const nearest = [...open]
      .filter((entry) => entry.result === 'done' && isSameActor(entry.actor, change.actor))
      .filter((entry) => distance(entry) <= sameTransactionMs && !isQuote(entry))
      .toSorted((one, other) => distance(one) - distance(other))[0];
    if (nearest) open.delete(nearest);
    return nearest ?? null;
  };
  /** Whether an entry says it, of which the feed has no change yet. */
  const isRecorded = (at: string): boolean =>
    [...open].some(
      (entry) =>
        entry.result === 'done' &&
        Math.abs(Date.parse(entry.at) - Date.parse(at)) <= sameTransactionMs,
    );
  const types = new Set<string>(changes.map(({ type }) => type));
  const named = nameChanges(changes, facts);
  const naming = new Set([...named.values()].map(({ id }) => id));
  const isSaid = ({ id, at, sameAs, saidBy, names }: OwnFact): boolean => {
    if (saidBy !== undefined) {
      return entries.some(({ operation, result }) => operation === saidBy && result === 'done');
    }
    if (names) return names.isLater || naming.has(id) || isRecorded(at);
    return sameAs !== undefined && (types.has(sameAs) || isRecorded(at));
  };
  return [
    ...changes.map((change) => {
      const { id, occurredAt: at } = change;
      const fact = named.get(id) ?? null;
      return { kind: 'change' as const, id, at, change, fact, audited: madeBy(change) };
    }),
    ...[...open].map((entry) => ({ kind: 'audit' as const, id: entry.id, at: entry.at, entry })),
    ...facts
      .filter((fact) => !isSaid(fact))
      .map((fact) => ({ kind: 'fact' as const, id: fact.id, at: fact.at, fact })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
