import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { initialVersionSql, nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { emitAll } from '@event-api/platform/messaging/projections/snapshot-source';
import {
  type RegistrationRow,
  registrationSource,
} from '../registrations/registrations.queries.ts';
import { seatSource } from '../seats/seats.queries.ts';
import type { AdmissionState, Change, TypeState } from '../seats/seats.rules.ts';
import type { LedgerRow, LoadedState } from './read-state.ts';
import { writeListings } from './write-listings.ts';
import { writeRegistrations } from './write-registrations.ts';
import { writeAddons, writeReservations } from './write-reservations.ts';

/**
 * Writes the changes of a batch in bulk, in one round trip what does not depend on each other.
 * Add-ons and listings follow the registrations, whose rows they belong to. Emits: the changed seat
 * ledgers and registrations.
 */
export async function writeBatch(
  tx: Tx,
  scope: EventScope,
  state: AdmissionState,
  changes: readonly Change[],
  loaded: LoadedState,
): Promise<Map<string, RegistrationRow>> {
  const changedItems = [...changedTypesOf(state, loaded), ...changedAddonsOf(state, loaded)];
  const [rows] = await Promise.all([
    writeRegistrations(tx, scope, state, changes),
    writeReservations(tx, scope, state, changes),
    writeCodes(tx, scope, state, loaded),
    writeLedger(tx, scope, changedItems),
  ]);
  await Promise.all([writeAddons(tx, scope, changes), writeListings(tx, scope, changes)]);
  await emitAll(tx, [
    { source: seatSource, ids: changedItems.map(({ type }) => type.id) },
    { source: registrationSource, ids: changedRegistrationIds(rows, changes) },
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Each registration that was created, changed its status or changed its add-ons, once. */
function changedRegistrationIds(
  rows: readonly RegistrationRow[],
  changes: readonly Change[],
): string[] {
  const addonRegistrationIds = changes.flatMap((change) =>
    isOfAddons(change) ? [change.registrationId] : [],
  );
  return [...new Set([...rows.map(({ id }) => id), ...addonRegistrationIds])];
}

const isOfAddons = (
  change: Change,
): change is Extract<Change, { kind: 'add_addons' | 'remove_addons' | 'limit_addons' }> =>
  change.kind === 'add_addons' || change.kind === 'remove_addons' || change.kind === 'limit_addons';

const writeUses = statement(
  'admission_code_uses',
  `update registration.redemption_code c set uses = x.uses, version = ${nextVersionSql}
   from unnest($3::text[], $4::int[]) x(id, uses)
   where c.id = x.id and (c.event_id = $2) is true and (c.business_unit_id = $1) is true`,
);

async function writeCodes(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { codes }: AdmissionState,
  { uses }: LoadedState,
): Promise<void> {
  const changed = [...codes.values()].filter((code) => code.uses !== uses.get(code.id));
  if (changed.length === 0) return;
  await tx.query(writeUses, [
    businessUnitId,
    eventId,
    changed.map(({ id }) => id),
    changed.map((code) => code.uses),
  ]);
}

const upsertLedger = statement(
  'admission_ledger',
  `insert into registration.seat_ledger as l (ticket_type_id, business_unit_id, event_id, confirmed, waitlisted,
     offered, reserved, ticket_type_version, version)
   select x.id, $1, $2, x.confirmed, x.waitlisted, x.offered, x.reserved, x.applied,
     ${initialVersionSql}
   from unnest($3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::bigint[])
     x(id, confirmed, waitlisted, offered, reserved, applied)
   on conflict (ticket_type_id) do update set confirmed = excluded.confirmed, waitlisted = excluded.waitlisted,
     offered = excluded.offered, reserved = excluded.reserved, ticket_type_version = excluded.ticket_type_version,
     version = greatest(l.version + 1, excluded.version)`,
);

interface ChangedItem {
  type: Pick<TypeState, 'id' | 'confirmed' | 'waitlisted' | 'offered' | 'reserved'>;
  /** The version of the ticket type whose promotions are applied. */
  applied: number;
}

/** The ticket types whose row of the ledger has to be written. */
function changedTypesOf(
  { types, mayPromote }: AdmissionState,
  { ledger }: LoadedState,
): ChangedItem[] {
  return [...types.values()].flatMap((type) => {
    const read = ledger.get(type.id);
    // A version counts as applied only after the promotions that it allows.
    const applied = (mayPromote ? read?.projectedVersion : read?.ticketTypeVersion) ?? 0;
    return isChanged(type, read, applied) ? [{ type, applied }] : [];
  });
}

/** The add-ons whose row of the ledger has to be written. They have no waitlist. */
function changedAddonsOf({ addons }: AdmissionState, { units }: LoadedState): ChangedItem[] {
  return [...addons.values()].flatMap((addon) => {
    const { id, confirmed, reserved } = addon;
    const read = units.get(id);
    if (read?.confirmed === confirmed && read.reserved === reserved) return [];
    return [{ type: { id, confirmed, reserved, waitlisted: 0, offered: 0 }, applied: 0 }];
  });
}

async function writeLedger(
  tx: Tx,
  scope: EventScope,
  changed: readonly ChangedItem[],
): Promise<void> {
  if (changed.length === 0) return;
  await tx.query(upsertLedger, [
    scope.businessUnitId,
    scope.eventId,
    changed.map(({ type }) => type.id),
    changed.map(({ type }) => type.confirmed),
    changed.map(({ type }) => type.waitlisted),
    changed.map(({ type }) => type.offered),
    changed.map(({ type }) => type.reserved),
    changed.map(({ applied }) => applied),
  ]);
}

/**
 * Whether the row has to be written: its seats differ, or a newer version of the ticket type was
 * applied.
 */
const isChanged = (type: TypeState, read: LedgerRow | undefined, applied: number): boolean =>
  read === undefined ||
  read.ticketTypeVersion < applied ||
  read.confirmed !== type.confirmed ||
  read.waitlisted !== type.waitlisted ||
  read.offered !== type.offered ||
  read.reserved !== type.reserved;
