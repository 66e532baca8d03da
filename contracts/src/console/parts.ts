import { z } from 'zod';

/** The processes of the platform as the console reaches them. */
export const PlatformParts = z.object({
  parts: z.array(z.object({ name: z.string(), isReady: z.boolean() })),
});
export type PlatformParts = z.infer<typeof PlatformParts>;
