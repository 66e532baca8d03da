import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * The key with which a creation is sent. An identical call creates nothing again for 24 hours, for
 * example when an assistant has lost the result.
 */
export const keyOf = (tool: string, input: object): { 'Idempotency-Key': string } => ({
  'Idempotency-Key': `mcp-${createHash('sha256')
    .update(JSON.stringify([tool, Object.entries(input).sort()]))
    .digest('base64url')}`,
});

/** Distinguishes identical creations on purpose. */
export const again = z
  .string()
  .optional()
  .describe('An identical call creates nothing again for a day, except with another text here.');
