import { z } from 'zod';
import { credentialPatternOf } from '../cells.ts';
import { id, name, requireField, timestamp, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { keyGroups } from '../permissions.ts';
import { apiVersions } from '../version.ts';
import { reference, referenceMeta } from './reference.ts';

/**
 * What a credential is. Each kind has its own prefix, which a gateway of an earlier release does
 * not accept.
 */
export const credentialKinds = ['key', 'restricted', 'device', 'pairing'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export const credentialPrefixes = {
  key: 'sk_live_',
  restricted: 'rk_live_',
  device: 'dk_live_',
  pairing: 'pc_live_',
} as const satisfies Record<CredentialKind, string>;

/** The secret of a credential of any kind and cell. Its only group is the name of the cell. */
export const credentialPattern = credentialPatternOf(Object.values(credentialPrefixes));

/** The secret of an unrestricted key: `sk_live_`, the cell if it has a name, 32 base62 characters. */
export const secretPattern = credentialPatternOf([credentialPrefixes.key]);

/**
 * The most events of a restricted key, and the most doors of a device. A caller token has room for
 * so many.
 */
export const maxScopeEntries = 20;

/** The most keys of a business unit that are neither revoked nor expired. */
export const maxKeys = 100;

/** An id that a caller token can contain. */
export const scopeId = (prefixes: Parameters<typeof referenceMeta>[0], description: string) => {
  const meta = referenceMeta(prefixes, description);
  return z
    .string()
    .regex(
      new RegExp(`^(?:${prefixes.join('|')})_[0-9a-z]{26}$`),
      `must be an id like ${meta.example}`,
    )
    .meta(meta);
};

/** A key without its secret, which is only in the response that creates it. */
export const ApiKey = z.object({
  id: id('key'),
  businessUnitId: id('unit'),
  name: z.string(),
  groups: z
    .array(z.string())
    .nullable()
    .meta({ description: 'What a restricted key may do; null for an unrestricted key.' }),
  eventIds: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The only events of the key; null for all events of the unit.' }),
  displayPrefix: z.string().meta({ description: 'The first characters of the secret' }),
  version: z.string(),
  rateLimitPerMinute: z.int().nullable().meta({ description: 'Null means the default, 120.' }),
  checkinRateLimitPerMinute: z
    .int()
    .nullable()
    .meta({ description: 'Null means 600, or `rateLimitPerMinute` if that is higher.' }),
  expiresAt: timestampOut().nullable(),
  revokedAt: timestampOut().nullable(),
  createdAt: timestampOut(),
});

const rateLimit = () =>
  z.int().min(1).max(10_000_000).meta({
    description: 'Requests per minute. Null means the default, 120.',
    example: 600,
  });

const checkinRateLimit = () =>
  z.int().min(1).max(10_000_000).meta({
    description:
      'Check-ins per minute, counted separately. Null means 600, or rateLimitPerMinute if that is higher.',
    example: 3000,
  });

const keyGroupsInput = () => z.array(z.enum(keyGroups)).min(1).max(keyGroups.length);

const keyEvents = () =>
  z
    .array(scopeId(['evt'], 'An event'))
    .min(1)
    .max(maxScopeEntries);

const unitOfKey = () =>
  reference('unit', 'The business unit of the key; optional at the command line').optional();

const config = { tag: 'API keys', owner: 'gateway', audience: 'operator' } as const;

export const createKey = operation({
  method: 'POST',
  url: '/operator/key.create',
  config: {
    ...config,
    operationId: 'key.create',
    permission: 'keys',
    platformFields: ['rateLimitPerMinute', 'checkinRateLimitPerMinute', 'version', 'secret'],
    summary: 'Create an API key; only this response shows its secret',
    description:
      'With `groups` it is a restricted key, which has only the operations of its groups: `read`, `sell`, `manage` and `doors`. A retry with the same `Idempotency-Key` returns the key with `secret: null`. ' +
      `A business unit has at most ${maxKeys} keys that are neither revoked nor expired.`,
    errors: [409],
    preconditions: ['TOO_MANY_KEYS'],
    secretInResponse: ['secret'],
  },
  schema: {
    body: z
      .object({
        businessUnitId: reference('unit', 'The business unit'),
        name: name().meta({ description: 'A name that identifies the key', example: 'Box office' }),
        groups: keyGroupsInput()
          .optional()
          .meta({
            description: 'What a restricted key may do; an unrestricted key if left out',
            example: ['read', 'sell'],
          }),
        eventIds: keyEvents()
          .optional()
          .meta({ description: 'The only events of a restricted key; all events if left out' }),
        expiresAt: timestamp().nullable().optional().meta({
          description: 'When the key expires, in the future; null means never.',
        }),
        version: z.enum(apiVersions).optional().meta({
          description:
            'The version of the API that the key is pinned to; the current one if left out',
        }),
        rateLimitPerMinute: rateLimit().optional(),
        checkinRateLimitPerMinute: checkinRateLimit().optional(),
        secret: z.string().regex(secretPattern).optional().meta({
          description:
            'sk_live_ and 32 letters or digits, in a cell with its name between them; generated if left out',
        }),
      })
      .check((ctx) => {
        const { groups, eventIds, secret } = ctx.value;
        if (groups === undefined && eventIds !== undefined) {
          requireField(ctx, 'groups', 'is required with eventIds');
        }
        if (groups !== undefined && secret !== undefined) {
          const message = 'cannot be combined with groups';
          ctx.issues.push({ code: 'custom', message, path: ['secret'], input: secret });
        }
      }),
    response: {
      201: ApiKey.extend({
        secret: z.string().nullable().meta({ description: 'Null in a replay: it is not stored.' }),
      }),
    },
  },
});

export const updateKey = operation({
  method: 'POST',
  url: '/operator/key.update',
  config: {
    ...config,
    operationId: 'key.update',
    permission: 'keys',
    platformFields: ['rateLimitPerMinute', 'checkinRateLimitPerMinute'],
    summary:
      'Change the name, permissions, limits or expiry of an API key; omitted fields keep their values',
    description:
      'Every gateway applies the change within a second. A revoked key stays revoked. The `groups` and `eventIds` are those of ' +
      'a restricted key; an unrestricted one cannot become restricted. An expired key can get another expiry.',
    preconditions: ['TOO_MANY_KEYS'],
  },
  schema: {
    body: z.object({
      businessUnitId: unitOfKey(),
      id: reference('key', 'The key'),
      name: name().optional().meta({
        description: 'A name that identifies the key',
        example: 'Box office',
      }),
      groups: keyGroupsInput()
        .optional()
        .meta({ description: 'What a restricted key may do', example: ['read', 'sell'] }),
      eventIds: keyEvents().nullable().optional().meta({
        description: 'The only events of a restricted key; null means all events.',
      }),
      rateLimitPerMinute: rateLimit().nullable().optional(),
      checkinRateLimitPerMinute: checkinRateLimit().nullable().optional(),
      expiresAt: timestamp().nullable().optional().meta({
        description: 'When the key expires, in the future; null means never.',
      }),
    }),
    response: { 200: ApiKey },
  },
});

export const listKeys = operation({
  method: 'POST',
  url: '/operator/key.list',
  config: {
    ...config,
    operationId: 'key.list',
    isRead: true,
    permission: 'keys',
    summary: 'List the API keys of a business unit, oldest first',
  },
  schema: {
    body: z.object({ businessUnitId: reference('unit', 'The business unit') }),
    response: { 200: z.object({ keys: z.array(ApiKey) }) },
  },
});

export const revokeKey = operation({
  method: 'POST',
  url: '/operator/key.revoke',
  config: {
    ...config,
    operationId: 'key.revoke',
    permission: 'keys',
    summary: 'Revoke an API key; every gateway rejects it within a second',
  },
  schema: {
    body: z.object({ businessUnitId: unitOfKey(), id: reference('key', 'The key') }),
    response: { 200: ApiKey },
  },
});
