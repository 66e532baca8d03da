import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Api, type WriteTool, writeTool } from '../tool.ts';

/**
 * The key with which a creation is sent. An identical call creates nothing again for 24 hours, for
 * example when an assistant has lost the result.
 */
const keyOf = (tool: string, input: object): { 'Idempotency-Key': string } => ({
  'Idempotency-Key': `mcp-${createHash('sha256')
    .update(JSON.stringify([tool, Object.entries(input).sort()]))
    .digest('base64url')}`,
});

/** Distinguishes identical creations on purpose. */
const again = z
  .string()
  .optional()
  .describe('An identical call creates nothing again for a day, except with another text here.');

type Creation<Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
  WriteTool<Input, Output>,
  'kind' | 'isDestructive' | 'run'
> & {
  /** Creates with `headers`, so that an identical call has no second effect. */
  run(
    api: Api,
    input: z.output<Input>,
    headers: ReturnType<typeof keyOf>,
  ): Promise<z.input<Output>>;
};

/** A tool that creates something once, however often an assistant repeats the call. */
export function creationTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  input,
  preview,
  run,
  ...tool
}: Creation<Input, Output>): WriteTool {
  const withoutAgain = ({ again: _, ...fields }: Record<string, unknown>) =>
    fields as z.output<Input>;
  return writeTool({
    ...tool,
    isDestructive: false,
    input: input.extend({ again }) as z.ZodObject,
    preview: (api, sent) => preview(api, withoutAgain(sent)),
    run: (api, sent) => run(api, withoutAgain(sent), keyOf(tool.name, sent)),
  });
}
