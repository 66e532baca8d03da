import { defineEntity, p } from '@mikro-orm/core';

/** A passkey of an operator. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: {
    id: p.text().primary(),
    operatorId: p.text().index('passkey_of_operator'),
    /** As the browser names it, in base64url. */
    credentialId: p.text().unique('passkey_credential_id_unique'),
    /** In COSE form, base64url. */
    publicKey: p.text(),
    /** Uses as the device counts them. A lower count shows a copy of the key. */
    counter: p.bigint('number'),
    /** How browsers reach the device, as a hint for them. */
    transports: p.json<string[]>().defaultRaw("'[]'"),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

/** A challenge that a browser signs with a passkey, once. */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenge',
  properties: {
    challenge: p.text().primary(),
    purpose: p.enum(['registration', 'sign_in']),
    /** The operator who adds a passkey; null for a new one and for a sign-in. */
    operatorId: p.text().nullable(),
    /** The name of a new operator. */
    name: p.text().nullable(),
    /** The user handle that the passkey stores. */
    userHandle: p.text().nullable(),
    expiresAt: p.datetime(3).index('passkey_challenge_by_expiry'),
  },
});
