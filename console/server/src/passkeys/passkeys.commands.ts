import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { recordAudit } from '@event-api/platform/audit/write';
import { notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { lastPasskey, signInFailed } from '../errors.ts';
import { createOperator } from '../operators/operators.commands.ts';
import { newSecret } from '../sessions/sessions.commands.ts';
import { timeouts } from '../timeouts.ts';
import { Passkey } from './passkey.entity.ts';
import {
  type ChallengeRow,
  deletePasskey,
  findPasskey,
  insertChallenge,
  listPasskeys,
  lockPasskeys,
  takeChallenge,
  writeUse,
} from './passkeys.queries.ts';

/**
 * Loads the library at its first use: it takes 9 MB, and a console with an identity provider hardly
 * needs it.
 */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** The issuer of identities that are a passkey. */
const passkeyIssuer = 'passkey';

export interface PasskeyDeps {
  db: Database;
  consoleUrl: string;
}

/** The person who registers a passkey: a known operator, or a new one by name. */
export type Registrant = { operatorId: string; name: string } | { operatorId: null; name: string };

const hostOf = ({ consoleUrl }: PasskeyDeps): string => new URL(consoleUrl).hostname;

/**
 * Creates the options with which a browser registers a passkey that it can find without a user
 * name.
 */
export async function beginRegistration(deps: PasskeyDeps, { operatorId, name }: Registrant) {
  const existing = operatorId === null ? [] : await listPasskeys(deps.db, operatorId);
  const userHandle = newSecret();
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Event console',
    rpID: hostOf(deps),
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(userHandle, 'base64url')),
    timeout: timeouts.challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await insertChallenge(deps.db, options.challenge, 'registration', {
    operatorId,
    name,
    userHandle,
  });
  return options;
}

/** The request of an operator that adds or removes a passkey, for the audit log. */
const passkeyRequest = (operation: string, operatorId: string, requestId: string, id: string) =>
  newAuditedRequest({
    requestId,
    operation,
    actor: { type: 'operator', id: operatorId },
    records: [id, operatorId],
  });

/**
 * Stores a registered passkey and returns its operator, which is new if the challenge was for a new
 * one. `operatorId` is that of the session. The audit log gets an entry `passkey.add`. Errors: 401
 * for a challenge of another operator, and for a response that the browser has not signed.
 */
export async function completeRegistration(
  deps: PasskeyDeps,
  response: RegistrationResponseJSON,
  { operatorId, requestId }: { operatorId: string | null; requestId: string },
): Promise<string> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  let challenge: ChallengeRow | null = null;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: async (sent) => {
      challenge = await takeChallenge(deps.db, sent, 'registration');
      return challenge !== null;
    },
    expectedOrigin: deps.consoleUrl,
    expectedRPID: hostOf(deps),
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw signInFailed(error);
  });
  const taken = challenge as ChallengeRow | null;
  if (!verified || !taken || taken.operatorId !== operatorId) throw signInFailed();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return deps.db.transaction(async (tx) => {
    const owner = operatorId ?? (await newOperator(tx, taken));
    const passkeyId = newId('psk');
    recordAudit(tx, { audited: passkeyRequest('passkey.add', owner, requestId, passkeyId) });
    tx.em.create(Passkey, {
      id: passkeyId,
      operatorId: owner,
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
    });
    await tx.em.flush();
    return owner;
  });
}

const newOperator = (tx: Tx, { name, userHandle }: ChallengeRow): Promise<string> =>
  createOperator(tx, {
    issuer: passkeyIssuer,
    subject: userHandle ?? '',
    name: name ?? '',
    email: null,
    emailVerified: false,
  });

/** Creates the options with which a browser signs in by any of its passkeys. */
export async function beginSignIn(deps: PasskeyDeps) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: hostOf(deps),
    timeout: timeouts.challengeSeconds * 1000,
    userVerification: 'required',
  });
  const nobody = { operatorId: null, name: null, userHandle: null };
  await insertChallenge(deps.db, options.challenge, 'sign_in', nobody);
  return options;
}

/** Returns the operator whose passkey has signed a challenge. Errors: 401. */
export async function completeSignIn(
  deps: PasskeyDeps,
  response: AuthenticationResponseJSON,
): Promise<string> {
  const passkey = await findPasskey(deps.db, response.id);
  if (!passkey) throw signInFailed(new Error('the passkey is unknown'));
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: async (sent) => (await takeChallenge(deps.db, sent, 'sign_in')) !== null,
    expectedOrigin: deps.consoleUrl,
    expectedRPID: hostOf(deps),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw signInFailed(error);
  });
  if (!verified || !(await writeUse(deps.db, passkey, authenticationInfo.newCounter))) {
    throw signInFailed();
  }
  return passkey.operatorId;
}

/**
 * Removes a passkey of an operator. The audit log gets an entry `passkey.remove`. Errors: 400 for
 * its last one; 404. Locks: the passkeys of the operator.
 */
export async function removePasskey(
  db: Database,
  { operatorId, id, requestId }: { operatorId: string; id: string; requestId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const passkeys = await lockPasskeys(tx, operatorId);
    if (!passkeys.some((passkey) => passkey.id === id)) throw notFound();
    if (passkeys.length === 1) throw lastPasskey();
    recordAudit(tx, { audited: passkeyRequest('passkey.remove', operatorId, requestId, id) });
    await deletePasskey(tx, operatorId, id);
  });
}
