import { z } from 'zod';

/** The one shape of every error. `details` of a 400 are `FieldIssue`s, of a 412 one `{ reason }`. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.int().meta({ description: 'The HTTP status', example: 400 }),
      status: z.string().meta({ example: 'INVALID_ARGUMENT' }),
      message: z.string(),
      details: z.array(z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** One entry of a 400's `details`. At most 50 are listed. */
export interface FieldIssue {
  /** `items[0].quantity`, a query parameter, a header, or `body`. */
  field: string;
  issue: string;
  code: string;
}
