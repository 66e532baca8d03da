import type { Session } from '@event-api/contracts/http/program';
import type { z } from 'zod';
import type { SessionRow } from './queries.ts';

/** A session as the API shows it. */
export const sessionView = (row: SessionRow): z.input<typeof Session> => ({
  ...row,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
});
