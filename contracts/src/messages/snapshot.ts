import { z } from 'zod';
import { type PublisherName, publisherNames } from '../topology.ts';

/** The services that publish. The subject of their messages is `snapshot.<origin>`. */
export type Origin = PublisherName;
export const origins: readonly Origin[] = publisherNames;

/** The stream of all messages. */
export const streamName = 'SNAPSHOTS';

export const subjectFor = (origin: Origin): string => `snapshot.${origin}`;

/** The header of a message with the ids of its outbox rows, separated by commas. */
export const outboxHeader = 'Outbox';

/**
 * The header of a message with the lineage of its publisher's database. A database that was put
 * back to an earlier state gets another lineage.
 */
export const lineageHeader = 'Lineage';

/**
 * The header of a message with the lineage that this database had before, if it has been replaced.
 */
export const previousLineageHeader = 'Previous-Lineage';

/** The type of the marker with which a publisher announces a new lineage. It is no record. */
export const rewoundType = (origin: Origin): string => `${origin}.rewound`;

/**
 * The complete state of a record after a change. Consumers keep the newest by `version`, which
 * never decreases for a record. The order of different records is undefined.
 */
export const Snapshot = z.object({
  /** The id of this change; a redelivered message has the same id. */
  id: z.string(),
  /** `<origin>.<record>`. Consumers ignore unknown types. */
  type: z.string(),
  businessUnitId: z.string(),
  eventId: z.string(),
  /** The id of the record. */
  aggregateId: z.string(),
  version: z.int().min(1),
  occurredAt: z.string(),
  data: z.record(z.string(), z.unknown()),
});

export type Snapshot = z.infer<typeof Snapshot>;

/** A kind of snapshot: its publisher and the schema of its `data`. Unknown fields are ignored. */
export interface SnapshotType<Data extends z.ZodObject = z.ZodObject> {
  type: string;
  origin: Origin;
  data: Data;
}

/** The schema of a snapshot of this type, for operations that carry one. */
export const snapshotOf = <Data extends z.ZodObject>({ type, data }: SnapshotType<Data>) =>
  Snapshot.extend({ type: z.literal(type), data });

export const snapshotType = <Data extends z.ZodObject>(
  declared: SnapshotType<Data>,
): SnapshotType<Data> => declared;
