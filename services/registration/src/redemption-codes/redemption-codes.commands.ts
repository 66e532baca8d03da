import type { CreateRedemptionCodes } from '@event-api/contracts/http/redemption-codes';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound, referenceNotFound } from '@event-api/platform/core/errors';
import { newId, randomBase32 } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { codeCreated, codeDisabled, codeUpdated } from '../changes/code-changes.ts';
import type { RegistrationDeps } from '../deps.ts';
import { codeExists, eventArchived, expiryInPast, ticketTypeArchived } from '../errors.ts';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { readSale } from '../projections/projections.queries.ts';
import { lockEvent } from '../seats/lock-event.ts';
import {
  type CodeChange,
  type CodeRow,
  insertCodes,
  markDisabled,
  type NewCodes,
  readCode,
  readCodes,
  readNow,
  writeCode,
} from './redemption-codes.queries.ts';
import {
  type CodeTarget,
  codeKey,
  codesToCreate,
  decideCodeTarget,
  isValidExpiry,
} from './redemption-codes.rules.ts';

type Input = z.output<typeof CreateRedemptionCodes>;

type Outcome = { codes: CodeRow[] } | Exclude<CodeTarget, 'valid'> | 'code_exists';

const generatedLength = 10;

/**
 * Creates the custom code of the request, or a batch of distinct random codes, all of them or none.
 * Errors: 400 for an expiry in the past; 404 for an unknown ticket type; 409 when the event has the
 * code in any case of its letters; 412 `EVENT_ARCHIVED`, `TICKET_TYPE_ARCHIVED`; 503. Reports:
 * `redemption_code.created` for each code.
 */
export async function createRedemptionCodes(
  { db, refresher }: RegistrationDeps,
  scope: EventScope,
  input: Input,
): Promise<CodeRow[]> {
  const ids = Array.from({ length: codesToCreate(input) }, () => newId('code'));
  const batchId = ids.length > 1 ? newId('batch') : null;
  const existing = isRetry() ? await readCodes(db, scope, ids) : [];
  if (existing.length > 0) return existing;
  const { expiresAt } = input;
  if (expiresAt && !isValidExpiry(expiresAt, await readNow(db))) throw expiryInPast();
  const outcome = await decideWithRefresh<Outcome>({
    refresher,
    scope,
    ticketTypeIds: [input.registrationTypeId],
    decide: () => db.transaction((tx) => create(tx, scope, input, { ids, batchId })),
    dependsOnProjections: (result) => typeof result === 'string' && result !== 'code_exists',
  });
  if (outcome === 'type_unknown') throw referenceNotFound('registrationTypeId');
  if (outcome === 'event_archived') throw eventArchived();
  if (outcome === 'type_archived') throw ticketTypeArchived();
  if (outcome === 'code_exists') throw codeExists();
  return outcome.codes;
}

async function create(
  tx: Tx,
  scope: EventScope,
  input: Input,
  { ids, batchId }: { ids: readonly string[]; batchId: string | null },
): Promise<Outcome> {
  const target = decideCodeTarget(await readSale(tx, scope, input.registrationTypeId));
  if (target !== 'valid') return target;
  const common: NewCodes = {
    ticketTypeId: input.registrationTypeId,
    label: input.label,
    maxUses: input.maxUses,
    expiresAt: input.expiresAt ?? null,
    discountType: input.discount?.type ?? null,
    discountValue: input.discount?.value ?? null,
    batchId,
  };
  if (input.code !== undefined) {
    const codes = await insertCodes(tx, scope, common, [newCode(ids[0] ?? '', input.code)]);
    if (codes.length === 0) return 'code_exists';
    reportCreated(tx, scope, codes);
    return { codes };
  }
  // One statement suffices, unless a random code already exists: the loop replaces it.
  const codes: CodeRow[] = [];
  while (codes.length < ids.length) {
    const written = new Set(codes.map(({ id }) => id));
    const missing = ids
      .filter((id) => !written.has(id))
      .map((id) => newCode(id, randomBase32(generatedLength)));
    codes.push(...(await insertCodes(tx, scope, common, missing)));
  }
  reportCreated(tx, scope, codes);
  return { codes };
}

const reportCreated = (tx: Tx, scope: EventScope, codes: readonly CodeRow[]): void =>
  writeChanges(
    tx,
    codes.map(({ id, version }) => codeCreated({ ...scope, id, version })),
  );

const newCode = (id: string, code: string) => ({ id, code, key: codeKey(code) });

/**
 * Disables a code permanently. A repeated call returns it unchanged. Registrations that used it
 * stay.
 *
 * Locks: the event's row of `event_lock`, as every batch does. A use is either committed before the
 * lock is taken or decided on the disabled code, so no use is possible after this returns. Errors:
 * 404. Reports: `redemption_code.disabled`, once.
 */
export async function disableRedemptionCode(
  db: Database,
  scope: EventScope,
  codeId: string,
): Promise<CodeRow> {
  const existing = await readCode(db, scope, codeId);
  if (existing.status === 'disabled') return existing;
  return db.transaction(async (tx) => {
    if (!(await lockEvent(tx, scope))) throw notFound();
    const disabled = await markDisabled(tx, scope, codeId);
    if (!disabled) return readCode(tx, scope, codeId);
    writeChanges(tx, [codeDisabled({ ...scope, id: codeId, version: disabled.version })]);
    return disabled;
  });
}

/**
 * Changes the label, the limit of uses or the expiry of a code. Uses that exceed a lower limit stay.
 *
 * Locks: the event's row of `event_lock`, as a use does: each is decided before or after the change.
 * Errors: 400 for an expiry in the past; 404. Reports: `redemption_code.updated`, unless the code
 * has these values.
 */
export async function updateRedemptionCode(
  db: Database,
  scope: EventScope,
  codeId: string,
  change: CodeChange,
): Promise<CodeRow> {
  await readCode(db, scope, codeId);
  const { expiresAt } = change;
  if (expiresAt && !isValidExpiry(expiresAt, await readNow(db))) throw expiryInPast();
  return db.transaction(async (tx) => {
    if (!(await lockEvent(tx, scope))) throw notFound();
    const changed = await writeCode(tx, scope, codeId, change);
    if (!changed) return readCode(tx, scope, codeId);
    writeChanges(tx, [codeUpdated({ ...changed, ...scope })]);
    return changed;
  });
}
