import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text().index('api_key_of_unit'),
    name: p.text(),
    /** What the credential is; null for an unrestricted key. */
    kind: p.text().nullable(),
    /** What a restricted key may do. */
    groups: p.array().columnType('text[]').nullable(),
    /** The only events of the credential; null for all. */
    eventIds: p.array().columnType('text[]').nullable(),
    /** The only doors of a device: ids of the event, sessions and venues. */
    doors: p.array().columnType('text[]').nullable(),
    /** The device that a credential belongs to. It stays when the device is paired again. */
    deviceId: p.text().nullable(),
    /** The installation of the scanner, by which a device is recognized. */
    installationId: p.text().nullable(),
    /** Whether a device may show names. */
    showNames: p.boolean().nullable(),
    /** The end of the event until which a device stays paired; null for a device of a day. */
    pairedUntil: p.datetime(3).nullable(),
    /** SHA-256 of the secret, in hex. The secret itself is not stored. */
    secretHash: p.text().unique('api_key_secret_hash_unique'),
    /** The hash of the short code with which a pairing code can be used, too. */
    shortCodeHash: p.text().nullable().unique('api_key_short_code_hash_unique'),
    displayPrefix: p.text(),
    version: p.text(),
    rateLimitPerMinute: p.integer().nullable(),
    checkinRateLimitPerMinute: p.integer().nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    /**
     * Time of the last change on the database's clock. Gateways poll for keys that changed in the
     * last five seconds.
     */
    changedAt: p.datetime(3).defaultRaw('clock_timestamp()').index('api_key_changed'),
  },
  indexes: [
    {
      name: 'api_key_installation_unique',
      expression:
        "create unique index api_key_installation_unique on gateway.api_key (business_unit_id, installation_id) where kind = 'device' and revoked_at is null",
    },
    {
      name: 'api_key_device_expiry',
      expression:
        "create index api_key_device_expiry on gateway.api_key (expires_at) where kind in ('device', 'pairing')",
    },
  ],
});

export type ApiKey = InferEntity<typeof ApiKey>;
