import { z } from 'zod';
import { ChangeBody } from '../changes.ts';
import type { Owner } from '../operation.ts';
import { operation } from '../operation.ts';

/** A change with its number in the log of its owner. */
export const NumberedChange = z.object({
  /**
   * Counts the changes of the owner without a gap. A change has a higher number than those it
   * depends on.
   */
  number: z.int().min(1),
  businessUnitId: z.string(),
  occurredAt: z.string(),
  change: ChangeBody,
});
export type NumberedChange = z.infer<typeof NumberedChange>;

/**
 * The changes of an owner after a number, in order. `last` is its highest number. `rewoundTo`
 * instead of changes means that `after` is above it: the database of the owner was restored to an
 * earlier state.
 */
export const readChanges = (owner: Owner) =>
  operation({
    method: 'POST',
    url: '/internal/changes',
    config: {
      operationId: `${owner}.readChanges`,
      tag: 'Internal',
      summary: 'Number the committed changes and read those after a number',
      owner,
      audience: 'service',
    },
    schema: {
      body: z.object({ after: z.int().min(0), limit: z.int().min(1).max(1000) }),
      response: {
        200: z.union([
          z.object({ changes: z.array(NumberedChange), last: z.int().min(0) }),
          z.object({ rewoundTo: z.int().min(0) }),
        ]),
      },
    },
  });
