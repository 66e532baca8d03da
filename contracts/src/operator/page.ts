import { z } from 'zod';
import { limits, text } from '../http/fields.ts';

/** The fields of a command that lists records page by page. */
export const pageFields = {
  limit: z
    .int()
    .min(1)
    .max(limits.pageRows)
    .default(limits.pageRows)
    .meta({ description: 'Rows per page', example: 100 }),
  cursor: text({ min: 1, max: 2000 })
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page' }),
};
