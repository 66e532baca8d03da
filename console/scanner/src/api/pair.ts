import { findCredential } from '@event-api/contracts/cells';
import { parseShortCode, writeShortCode } from '@event-api/contracts/http/devices';
import { send } from './client.ts';
import { installationId, type Pairing } from './device.ts';

/** What came of an attempt to pair this device. */
export type PairOutcome =
  | { kind: 'paired'; pairing: Pairing }
  /** The code is unknown, expired or used. */
  | { kind: 'rejected' }
  /** Too many short codes were tried. */
  | { kind: 'busy' }
  | { kind: 'unreachable' };

/**
 * The pairing code in the fragment of the address, or in what a person has entered; null without
 * one.
 */
export const findPairingCode = (text: string): string | null => findCredential('pc_live_', text);

/** The pairing code or the short code that a person has entered; null without one. */
export function enteredCode(text: string): string | null {
  const found = findPairingCode(text);
  if (found !== null) return found;
  const shortCode = parseShortCode(text);
  return shortCode && writeShortCode(shortCode);
}

/** Turns a pairing code into the token of this device. */
export async function pair(code: string): Promise<PairOutcome> {
  const response = await send({
    method: 'POST',
    path: '/v1/device/pair',
    bearer: code,
    body: { installationId: installationId() },
  });
  if (response.status === 200) return { kind: 'paired', pairing: response.body as Pairing };
  if (response.status === 429) return { kind: 'busy' };
  if (response.status === null || response.status > 429) return { kind: 'unreachable' };
  return { kind: 'rejected' };
}
