import { z } from 'zod';
import { id, name, timestampOut } from '../http/fields.ts';

/**
 * Starts the registration of a passkey: for the signed-in operator, or for a new one with the
 * secret of an invitation and a name.
 */
export const PasskeyRegistrationOptions = z.object({
  invitation: z.string().max(200).optional(),
  name: name().optional(),
});

const credential = z.looseObject({ id: z.string(), response: z.looseObject({}) });

/** Completes the registration. `response` is what the browser's `startRegistration` returns. */
export const PasskeyRegistration = z.object({ response: credential });

/** Completes a sign-in. `response` is what the browser's `startAuthentication` returns. */
export const PasskeySignIn = z.object({ response: credential });

/** A passkey of the signed-in operator. */
export const Passkey = z.object({
  id: id('psk'),
  createdAt: timestampOut(),
  lastUsedAt: timestampOut().nullable(),
});

export const Passkeys = z.object({ passkeys: z.array(Passkey) });

export const RemovePasskey = z.object({ id: z.string().max(200) });
