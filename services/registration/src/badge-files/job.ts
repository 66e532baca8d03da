import type { Badge } from './badge.ts';

/** A file that a thread draws. */
export type DrawJob =
  | { format: 'svg'; badge: Badge }
  /** One page for each badge, in this order. */
  | { format: 'pdf'; title: string; badges: Badge[] };

export interface DrawRequest {
  id: number;
  job: DrawJob;
}

export type DrawResponse = { id: number; bytes: Uint8Array } | { id: number; error: string };
