import { z } from 'zod';

/**
 * Who causes a change: an API key, a person in the console, the command line, a job of a service, a
 * scanner.
 */
export const actorTypes = ['key', 'operator', 'cli', 'system', 'device'] as const;

/**
 * The origin of a command. `id` names the key, the operator, the job or the device, and for the
 * command line the user of the system; it is null if that is unknown.
 */
export const Actor = z.object({
  type: z.enum(actorTypes),
  id: z.string().nullable(),
});

export type Actor = z.infer<typeof Actor>;
