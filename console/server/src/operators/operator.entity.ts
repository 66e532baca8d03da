import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A person who signs in to the console. */
export const Operator = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: {
    id: p.text().primary(),
    /** As the identity provider states it, or as the person typed it with a passkey. */
    name: p.text(),
    email: p.text().nullable(),
    /** Whether the identity provider has verified the email. */
    emailVerified: p.boolean().default(false),
    platformAdmin: p.boolean().default(false),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});

export type Operator = InferEntity<typeof Operator>;

/** How an operator is recognized: by its id at an identity provider, never by its email. */
export const Identity = defineEntity({
  name: 'Identity',
  tableName: 'identity',
  properties: {
    issuer: p.text().primary(),
    subject: p.text().primary(),
    operatorId: p.text().index('identity_of_operator'),
  },
});
