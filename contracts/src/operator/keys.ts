import { z } from 'zod';
import { id, name, timestamp, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { apiVersions } from '../version.ts';
import { reference } from './reference.ts';

/** `sk_live_` and 32 base62 characters. */
export const secretPattern = /^sk_live_[0-9A-Za-z]{32}$/;

/** A key without its secret, which is only in the response that creates it. */
export const ApiKey = z.object({
  id: id('key'),
  businessUnitId: id('unit'),
  name: z.string(),
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
    errors: [409],
  },
  schema: {
    body: z.object({
      businessUnitId: reference('unit', 'The business unit'),
      name: name().meta({ description: 'A name that identifies the key', example: 'Box office' }),
      expiresAt: timestamp().nullable().optional().meta({
        description: 'When the key expires, in the future; null means never.',
      }),
      version: z.enum(apiVersions).optional().meta({
        description:
          'The version of the API that the key is pinned to; the current one if left out',
      }),
      rateLimitPerMinute: rateLimit().optional(),
      checkinRateLimitPerMinute: checkinRateLimit().optional(),
      secret: z
        .string()
        .regex(secretPattern)
        .optional()
        .meta({ description: 'sk_live_ and 32 letters or digits; generated if left out' }),
    }),
    response: { 201: ApiKey.extend({ secret: z.string() }) },
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
    summary: 'Change the name, limits or expiry of an API key; omitted fields keep their values',
    description: 'Every gateway applies the change within a second. A revoked key stays revoked.',
  },
  schema: {
    body: z.object({
      id: reference('key', 'The key'),
      name: name().optional().meta({
        description: 'A name that identifies the key',
        example: 'Box office',
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
  schema: { body: z.object({ id: reference('key', 'The key') }), response: { 200: ApiKey } },
});
