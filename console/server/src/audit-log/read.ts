import type { AuditLog } from '@event-api/contracts/console/audit';
import { type AuditEntry, listAudit } from '@event-api/contracts/operator/audit';
import { schemas } from '@event-api/contracts/topology';
import { ApiError, invalidArgument } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { decodeCursor, encodeCursor } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import type { z } from 'zod';
import { findOperatorNames } from '../operators/operators.queries.ts';
import type { SendRequest } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';
import { type MergePosition, mergePages, type OwnerPage } from './audit-log.rules.ts';

type Entry = z.output<typeof AuditEntry>;

/** The log of each process with a schema. */
export const auditLogs = schemas.map((owner) => listAudit(owner));

/**
 * Reads a page of the audit log of the caller's business unit: the entries of all processes, newest
 * first. An owner that is down is named, and the entries of the others are returned. Its entries
 * above the end of the page are not in later pages.
 * Errors: 400 for a cursor of another list.
 */
export async function readAuditLog(
  { db, send }: { db: Db; send: SendRequest },
  { caller, requestId }: { caller: CallerClaims; requestId: string },
  query: { limit: number; cursor?: string | undefined } & Record<string, unknown>,
): Promise<AuditLog> {
  const { limit, cursor, ...filter } = query;
  const input = { ...filter, businessUnitId: caller.businessUnitId };
  const list = listName('audit of all', input);
  const position = decodePosition(list, cursor);
  const pages = await Promise.all(
    auditLogs.map(async (operation): Promise<OwnerPage<Entry>> => {
      const { owner } = operation.config;
      const ownCursor = position?.cursors[owner];
      const page = await readPage(
        send,
        operation,
        { caller, requestId },
        { ...input, limit, cursor: ownCursor },
      );
      return { owner, cursor: ownCursor, page };
    }),
  );
  const { entries, next, incomplete } = mergePages(pages, position?.last ?? null, limit);
  const nameOf = await findOperatorNames(db, operatorsOf(entries));
  return {
    entries: entries.map((entry) => ({
      ...entry,
      actorName: nameOf.get(entry.actor.id ?? '') ?? null,
    })),
    nextCursor: next && encodePosition(list, next),
    incomplete,
  };
}

const operatorsOf = (entries: readonly Entry[]): string[] => [
  ...new Set(
    entries.flatMap(({ actor: { type, id } }) => (type === 'operator' && id !== null ? [id] : [])),
  ),
];

/** A page of one owner; null if it is down, or of a release without the list. */
async function readPage(
  send: SendRequest,
  operation: (typeof auditLogs)[number],
  { caller, requestId }: { caller: CallerClaims; requestId: string },
  input: { limit: number; cursor: string | undefined } & Record<string, unknown>,
): Promise<OwnerPage<Entry>['page']> {
  try {
    const { status, body } = await send({
      operation,
      path: operation.url,
      caller,
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      body: Buffer.from(JSON.stringify({ service: operation.config.owner, ...input })),
      timeoutMs: timeouts.apiMs,
    });
    if (status === 400 && input.cursor !== undefined) throw foreignCursor();
    if (status !== 200) return null;
    return operation.schema.response[200].parse(JSON.parse(body.toString()));
  } catch (error) {
    if (error instanceof ApiError && error.code >= 500) return null;
    throw error;
  }
}

const foreignCursor = () =>
  invalidArgument([
    { field: 'cursor', issue: 'is not a nextCursor of this list', code: 'invalid_value' },
  ]);

const keyTypes = ['instant', 'string', ...auditLogs.map(() => 'string' as const)] as const;

/**
 * The cursor contains the last entry and the cursor of each owner in the order of the topology,
 * empty for its first page.
 */
const encodePosition = (list: string, { last, cursors }: MergePosition): string =>
  encodeCursor(list, [
    last.at,
    last.id,
    ...auditLogs.map(({ config }) => cursors[config.owner] ?? ''),
  ]);

function decodePosition(list: string, cursor: string | undefined): MergePosition | null {
  const key = decodeCursor(list, cursor, keyTypes);
  if (!key) return null;
  const [at, id, ...rest] = key;
  const cursors = auditLogs.flatMap(({ config }, index) =>
    rest[index] ? [[config.owner, rest[index]] as const] : [],
  );
  return { last: { at, id }, cursors: Object.fromEntries(cursors) };
}
