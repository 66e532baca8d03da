/** What is sent to the browsers that watch an event. The name is the type of the server-sent event. */
export type LiveMessage =
  /** The check-in counts per door, as `GET …/checkins/summary` returns them. */
  | { name: 'summary'; data: unknown }
  /** What has changed in the event; with `isReset`, everything may have. */
  | { name: 'changes'; data: { changes: readonly LiveChange[]; isReset?: true } }
  /** Sent every 15 seconds, so that a browser notices a connection that has died in silence. */
  | { name: 'heartbeat'; data: Record<string, never> }
  /** Whether the parts from which the figures come respond. */
  | { name: 'status'; data: { summary: PartStatus; changes: PartStatus } };

export type PartStatus = 'current' | 'away';

/** A change without its values, which the browser reads again. */
export interface LiveChange {
  type: string;
  eventId: string | null;
  objectId: string;
}

/** The text of a message in the format of server-sent events. */
export const formatMessage = ({ name, data }: LiveMessage): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
