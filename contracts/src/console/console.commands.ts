import { z } from 'zod';

/** A command by its name, as the generic page shows it. */
export const CommandDescription = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tag: z.string(),
  /** Whether it only reads, so that the audit log never contains it. */
  isRead: z.boolean(),
  /** The permissions of which an operator needs one. */
  permission: z.array(z.string()),
  /** One for each owner. A field with different allowed values selects the variant. */
  variants: z.array(
    z.object({
      owner: z.string(),
      /** The JSON Schema of the input. */
      schema: z.record(z.string(), z.unknown()),
      /** The JSON Schema of a successful response. */
      response: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
export type CommandDescription = z.infer<typeof CommandDescription>;

export const CommandList = z.object({ commands: z.array(CommandDescription) });
