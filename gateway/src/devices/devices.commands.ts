import type { Cell } from '@event-api/contracts/cells';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { pairDevice as createCodeOperation } from '@event-api/contracts/operator/devices';
import { currentVersion } from '@event-api/contracts/version';
import { recordAudit } from '@event-api/platform/audit/write';
import { currentActor } from '@event-api/platform/core/actor';
import type { Clock } from '@event-api/platform/core/clock';
import { hashSecret } from '@event-api/platform/core/credentials';
import { notFound, unauthenticated } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import { sqlValue } from '@event-api/platform/db/sql-value';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { ApiKey } from '../api-keys/api-key.entity.ts';
import { displayPrefix, generateSecret } from '../api-keys/secret.ts';
import { generateShortCode, hashShortCode } from '../api-keys/short-codes.ts';
import { readUnit } from '../business-units/business-units.queries.ts';
import { noEventEnd, unknownDoorFields } from '../errors.ts';
import { timeouts } from '../timeouts.ts';
import {
  type DeviceRow,
  findCredential,
  findDevice,
  revokeCredentialsOf,
} from './devices.queries.ts';
import { doorsOf, tokenExpiry, unknownDoors } from './devices.rules.ts';
import type { EventSource } from './fetch-event.ts';

export interface DeviceDeps {
  db: Database;
  clock: Clock;
  /** The cell of new credentials. */
  cell: Cell;
  events: EventSource;
}

const lifetimes = {
  dayMs: timeouts.deviceTokenMs,
  afterEventMs: timeouts.deviceAfterEventMs,
  maxMs: timeouts.deviceTokenMaxMs,
};

/** What all credentials of a device have. */
const credential = (secret: string) => ({
  id: newId('key'),
  version: currentVersion,
  secretHash: hashSecret(secret),
  displayPrefix: displayPrefix(secret),
});

/**
 * Creates a pairing code, valid for ten minutes and once, with a short form that a person can type.
 * Both are in the result and nowhere else: a retry that finds them returns null instead. The doors are checked with the service that
 * owns them, before the transaction.
 *
 * Errors: 404 for an unknown unit or event; 400 for doors or an end that the event does not have; 503.
 */
export async function createPairingCode(
  { db, clock, cell, events }: DeviceDeps,
  input: z.output<typeof createCodeOperation.schema.body>,
): Promise<{ device: DeviceRow; codes: { code: string; shortCode: string } | null }> {
  const { businessUnitId, eventId, name, showNames } = input;
  const doors = doorsOf(input.doors, eventId);
  await readUnit(db, businessUnitId);
  const ofEvent = await events.readDoors({ businessUnitId, eventId }, currentActor());
  const unknown = unknownDoors(doors, ofEvent);
  if (unknown.length > 0) throw unknownDoorFields(unknown);
  const pairedUntil = input.untilEventEnds
    ? await readEnd(events, { businessUnitId, eventId })
    : null;
  const secret = generateSecret('pairing', cell);
  const shortCode = generateShortCode();
  const values = credential(secret);
  const deviceId = newId('dev');
  const codes = await db.transaction(async (tx) => {
    const { em } = tx;
    if (isRetry() && (await em.findOne(ApiKey, { id: values.id, businessUnitId }))) return null;
    em.create(ApiKey, {
      ...values,
      shortCodeHash: hashShortCode(shortCode),
      businessUnitId,
      name,
      kind: 'pairing',
      eventIds: [eventId],
      doors: [...new Set(doors.map(({ subjectId }) => subjectId))],
      deviceId,
      showNames,
      pairedUntil,
      expiresAt: new Date(clock.now().getTime() + timeouts.pairingCodeMs),
    });
    await em.flush();
    recordAudit(tx, { records: [deviceId] });
    return { code: secret, shortCode };
  });
  return { device: await requireDevice(findCredential(db, businessUnitId, values.id)), codes };
}

async function readEnd(events: EventSource, scope: EventScope): Promise<Date> {
  const { endsAt } = await events.readEvent(scope, currentActor());
  if (!endsAt) throw noEventEnd();
  return new Date(endsAt);
}

async function requireDevice(found: Promise<DeviceRow | null>): Promise<DeviceRow> {
  const device = await found;
  if (!device) throw notFound('device');
  return device;
}

/**
 * Turns a pairing code into the token of a device. An installation that was paired before in the
 * business unit stays the same device, and its former tokens are revoked. Of several calls with one
 * code, one succeeds.
 *
 * Errors: 401 for a code that is used up, revoked or expired. Locks: the row of the code, then
 * those of the device.
 */
export async function pairDevice(
  deps: Pick<DeviceDeps, 'db' | 'clock' | 'cell'>,
  code: { id: string; businessUnitId: string },
  installationId: string,
): Promise<{ credentialId: string; token: string }> {
  const token = generateSecret('device', deps.cell);
  const pair = () =>
    deps.db.transaction((tx) => replaceCode(deps, tx, { ...code, installationId, token }));
  try {
    return { credentialId: await pair(), token };
  } catch (error) {
    // Another code has just paired the same installation for the first time. It is found now.
    if (violatedUniqueConstraint(error) !== 'api_key_installation_unique') throw error;
    return { credentialId: await pair(), token };
  }
}

async function replaceCode(
  { clock }: Pick<DeviceDeps, 'clock'>,
  { em }: Tx,
  pairing: { id: string; businessUnitId: string; installationId: string; token: string },
): Promise<string> {
  const { id, businessUnitId, installationId, token } = pairing;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const unused = { id, businessUnitId, kind: 'pairing', revokedAt: null };
  const code = await em.findOne(ApiKey, unused, { lockMode });
  const now = clock.now();
  if (!code?.expiresAt || code.expiresAt <= now) throw unauthenticated();
  const former = await em.find(
    ApiKey,
    { businessUnitId, kind: 'device', installationId },
    { lockMode, orderBy: { id: 'asc' } },
  );
  const deviceId = former.at(-1)?.deviceId ?? code.deviceId;
  code.deviceId = deviceId;
  for (const used of [code, ...former.filter(({ revokedAt }) => !revokedAt)]) {
    used.revokedAt = sqlValue<Date>('clock_timestamp()');
    used.changedAt = sqlValue<Date>('clock_timestamp()');
  }
  await em.flush();
  const { name, eventIds, doors, showNames, pairedUntil } = code;
  const device = em.create(ApiKey, {
    ...credential(token),
    businessUnitId,
    name,
    kind: 'device',
    eventIds,
    doors,
    deviceId,
    installationId,
    showNames,
    pairedUntil,
    expiresAt: tokenExpiry(pairedUntil ?? null, now, lifetimes),
  });
  await em.flush();
  return device.id;
}

/**
 * Revokes a device: its token, and its pairing code if it waits for one. A revoked device stays
 * unchanged. Errors: 404.
 * Locks: the rows of its credentials.
 */
export async function revokeDevice(
  db: Database,
  { businessUnitId, id }: { businessUnitId: string; id: string },
): Promise<DeviceRow> {
  await db.transaction(async (tx) => {
    const wasValid = await revokeCredentialsOf(tx, businessUnitId, id);
    if (wasValid === null) throw notFound('device');
    if (wasValid) recordAudit(tx);
  });
  return requireDevice(findDevice(db, businessUnitId, id));
}
