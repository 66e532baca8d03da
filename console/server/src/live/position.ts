import { randomUUID } from 'node:crypto';

/** Positions of another process mean nothing here. */
const processId = randomUUID();

/** The id of a message: how many messages about changes this process has published. */
export const formatPosition = (position: number): string => `${processId}.${position}`;

/** The position of the message with an id; null without one, and for a message of another process. */
export function parsePosition(id: string | undefined): number | null {
  const [, position] = id?.startsWith(`${processId}.`) ? id.split('.') : [];
  return position !== undefined && /^\d{1,15}$/.test(position) ? Number(position) : null;
}
