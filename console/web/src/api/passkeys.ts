import { startRegistration } from '@simplewebauthn/browser';
import type { Client } from './client.ts';
import { NoPasskeyCreated } from './error.ts';

/**
 * Lets the device create a passkey and registers it: of the signed-in operator, or of a new one
 * with the secret of an invitation, who is signed in afterwards. Errors: NoPasskeyCreated;
 * ApiError.
 */
export async function registerPasskey(
  client: Client,
  newOperator?: { invitation: string; name: string },
): Promise<void> {
  const path = '/api/passkeys/registration';
  const optionsJSON = await client.request<never>({
    method: 'POST',
    path: `${path}/options`,
    body: newOperator ?? {},
  });
  const response = await startRegistration({ optionsJSON }).catch((cause: unknown) => {
    throw new NoPasskeyCreated('the device has created no passkey', { cause });
  });
  await client.request({ method: 'POST', path, body: { response } });
}
