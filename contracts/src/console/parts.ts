import { z } from 'zod';

/** The processes of the platform as the console reaches them. */
export const PlatformParts = z.object({
  parts: z.array(
    z.object({
      name: z.string(),
      isReady: z.boolean(),
      /** The servers that it does not reach, such as `nats`. */
      missing: z.array(z.string()),
    }),
  ),
});
export type PlatformParts = z.infer<typeof PlatformParts>;

/** The services whose messages wait, because they do not reach the message bus. */
export const DelayedMessages = z.object({ delayed: z.array(z.string()) });
export type DelayedMessages = z.infer<typeof DelayedMessages>;
