import { type RecordList, useCommandList, useCommandRead, useList } from './api.queries.ts';
import type { AuditEntry, Change } from './records.ts';
import { usePermission } from './unit.ts';

/** The changes of a record, newest first. Empty without the permission `changes`. */
export const useChangesOf = (objectId: string): RecordList<Change> =>
  useCommandList<Change>(
    'changes',
    'change.find',
    { objectId },
    { isEnabled: usePermission('changes') },
  );

/**
 * The entries of the audit log that name a record, newest first. Empty without the permission
 * `audit`.
 */
export const useAuditOf = (record: string): RecordList<AuditEntry> =>
  useList<AuditEntry>('entries', 'audit', { record }, { isEnabled: usePermission('audit') });

/** The names of the people and keys of the unit, by id, as far as the operator may see them. */
export function useActorNames(): ReadonlyMap<string, string> {
  const members = useCommandRead<{ members: { operatorId: string; name: string }[] }>(
    'member.list',
    {},
    { isEnabled: usePermission('members') },
  );
  const keys = useCommandRead<{ keys: { id: string; name: string }[] }>(
    'key.list',
    {},
    { isEnabled: usePermission('keys') },
  );
  return new Map([
    ...(members.data?.members ?? []).map(({ operatorId, name }) => [operatorId, name] as const),
    ...(keys.data?.keys ?? []).map(({ id, name }) => [id, name] as const),
  ]);
}
