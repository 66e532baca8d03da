import type { Speaker } from '@event-api/contracts/http/program';
import type { z } from 'zod';
import type { SpeakerRow } from './queries.ts';

/** A speaker as the API shows it. */
export const speakerView = (row: SpeakerRow): z.input<typeof Speaker> => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
