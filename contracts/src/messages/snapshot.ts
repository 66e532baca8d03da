import { z } from 'zod';

/** Where a message comes from: the services that publish. Its subject is `ev.<origin>`. */
export const origins = ['catalog', 'registration'] as const;
export type Origin = (typeof origins)[number];

/** The one stream of all messages. */
export const streamName = 'EVENTS';

export const subjectFor = (origin: Origin): string => `ev.${origin}`;

/**
 * A record as it was after a change, whole. A reader keeps the newest by `version`, which never runs
 * backwards for one record; nothing is said about the order of different records.
 */
export const Snapshot = z.object({
  /** Of this change; a repeat of the message repeats it. */
  id: z.string(),
  /** `<origin>.<record>`. Readers ignore types that they do not know. */
  type: z.string(),
  businessUnitId: z.string(),
  eventId: z.string(),
  /** The record's own id. */
  aggregateId: z.string(),
  version: z.int().min(1),
  occurredAt: z.string(),
  data: z.record(z.string(), z.unknown()),
});

export type Snapshot = z.infer<typeof Snapshot>;

/** A kind of snapshot: who publishes it and what its `data` holds. Unknown fields are ignored. */
export interface SnapshotType<Data extends z.ZodObject = z.ZodObject> {
  type: string;
  origin: Origin;
  data: Data;
}

/** A snapshot of this type, for operations that carry one. */
export const snapshotOf = <Data extends z.ZodObject>({ type, data }: SnapshotType<Data>) =>
  Snapshot.extend({ type: z.literal(type), data });

export const snapshotType = <Data extends z.ZodObject>(
  declared: SnapshotType<Data>,
): SnapshotType<Data> => declared;
