/**
 * What is sent to the browsers that watch an event. The name is the type of the server-sent event.
 */
export type LiveMessage =
  /** The check-in counts per door, as `GET …/checkins/summary` returns them. */
  | { name: 'summary'; data: unknown }
  /**
   * The types of what has changed in the event, such as `order.paid`; with `isReset`, everything
   * may have. `checkin.created` is not among them: the counts announce it.
   */
  | { name: 'changes'; data: { types: readonly string[]; isReset?: true } }
  /** Something has changed, for roles that may not read what. Sent every ten seconds at most. */
  | { name: 'refresh'; data: Record<string, never> }
  /** Sent every 15 seconds, so that a browser notices a connection that has died in silence. */
  | { name: 'heartbeat'; data: Record<string, never> }
  /** Whether the parts from which the figures come respond. Each stream begins with it. */
  | { name: 'status'; data: { summary: PartStatus; changes: PartStatus } };

/** `pending` until the part has responded or failed once. */
export type PartStatus = 'pending' | 'current' | 'away';

/** The text of a message in the format of server-sent events. */
export const formatMessage = ({ name, data }: LiveMessage): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
