import type { WalletSigner } from '../config.ts';
import type { Badge } from './badge.ts';

/** A file that a thread draws. */
export type DrawJob =
  | { format: 'svg'; badge: Badge }
  /** One page for each badge, in this order. */
  | { format: 'pdf'; title: string; badges: Badge[] }
  /** `id` is that of the registration: a phone replaces the pass with the same id. */
  | { format: 'pkpass'; id: string; badge: Badge; signer: WalletSigner };

export interface DrawRequest {
  id: number;
  job: DrawJob;
}

export type DrawResponse = { id: number; bytes: Uint8Array } | { id: number; error: string };
