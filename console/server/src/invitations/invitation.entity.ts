import { roles } from '@event-api/contracts/permissions';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * A link that makes an operator a member, an administrator of the platform, or both. It is valid
 * once.
 */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p.text().primary(),
    /** SHA-256 of the secret in the link, in hex. The secret itself is not stored. */
    tokenHash: p.text().unique('invitation_token_hash_unique'),
    businessUnitId: p.text().nullable(),
    role: p.enum(roles).nullable(),
    platformAdmin: p.boolean(),
    /** The normalized email that the identity must have; null if the link alone is enough. */
    email: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    expiresAt: p.datetime(3).index('invitation_by_expiry'),
    revokedAt: p.datetime(3).nullable(),
    acceptedAt: p.datetime(3).nullable(),
    acceptedBy: p.text().nullable(),
  },
  indexes: [{ name: 'invitation_of_unit', properties: ['businessUnitId', 'createdAt'] }],
});

export type Invitation = InferEntity<typeof Invitation>;
