import { projectingServices, publisherNames } from '@event-api/contracts/topology';
import type { Invariant } from './invariant.ts';

interface ProjectionTable {
  owner: string;
  projection: string;
  /** Columns that must be equal in both tables. */
  columns: readonly string[];
}

const common = ['version', 'business_unit_id'];

const tables: ProjectionTable[] = [
  ...['registration', 'commerce', 'onsite'].flatMap((reader) =>
    ['event', 'ticket_type', 'addon'].map((record) => ({
      owner: `catalog.${record}`,
      projection: `${reader}.${record}_projection`,
      columns: common,
    })),
  ),
  {
    owner: 'catalog.ticket_type',
    projection: 'registration.ticket_type_projection',
    columns: ['capacity', 'status'],
  },
  {
    owner: 'catalog.bundle',
    projection: 'commerce.bundle_projection',
    columns: [...common, 'status'],
  },
  { owner: 'catalog.perk', projection: 'registration.perk_projection', columns: common },
  { owner: 'catalog.perk', projection: 'onsite.perk_projection', columns: [...common, 'name'] },
  {
    owner: 'registration.registration',
    projection: 'onsite.registration_projection',
    columns: [...common, 'status', 'checkin_code', 'name'],
  },
  {
    owner: 'registration.registration',
    projection: 'commerce.registration_projection',
    columns: [...common, 'status', 'order_id'],
  },
];

/** Invariants of projections after all messages have been applied. */
export const projectionInvariants: Invariant[] = [
  ...tables.map(({ owner, projection, columns }) => ({
    title: `${projection} equals ${owner} (${columns.join(', ')})`,
    promise: 'I6' as const,
    needs: [owner, projection],
    sql: `select coalesce(o.id, c.id) as id from ${owner} o full join ${projection} c on c.id = o.id
      where (${['id', ...columns].map((name) => `o.${name}`).join(', ')})
        is distinct from (${['id', ...columns].map((name) => `c.${name}`).join(', ')})`,
  })),
  {
    // The projection has no row for a code that was never published; such a code has no perks.
    title: 'onsite has the perks of every code',
    promise: 'I6',
    needs: ['onsite.redemption_code_projection', 'registration.redemption_code'],
    sql: `select coalesce(o.id, c.id) as id from registration.redemption_code o
      full join onsite.redemption_code_projection c on c.id = o.id
      where o.id is null or (c.id is not null and c.business_unit_id <> o.business_unit_id)
        or array(select unnest(c.perk_ids) order by 1) <> array(select p.perk_id
          from registration.redemption_code_perk p where p.redemption_code_id = o.id order by 1)`,
  },
  {
    title: 'seat counts of catalog equal the seat ledger',
    promise: 'I2',
    needs: ['catalog.seat_count', 'registration.seat_ledger'],
    sql: `select coalesce(l.ticket_type_id, c.id) as id from registration.seat_ledger l
      full join catalog.seat_count c on c.id = l.ticket_type_id
      where (coalesce(l.confirmed, 0), coalesce(l.waitlisted, 0), coalesce(l.offered, 0), coalesce(l.reserved, 0))
        is distinct from
          (coalesce(c.confirmed, 0), coalesce(c.waitlisted, 0), coalesce(c.offered, 0), coalesce(c.reserved, 0))`,
  },
];

/** Invariants of messages after all of them have been published and applied. */
export const messageInvariants: Invariant[] = [
  ...publisherNames.map((schema) => ({
    title: `${schema} has no unpublished messages`,
    promise: 'I7' as const,
    needs: `${schema}.outbox_message`,
    sql: `select id from ${schema}.outbox_message where stream_seq is null`,
  })),
  ...projectingServices.map((schema) => ({
    title: `${schema} has no dead letters`,
    promise: 'I7' as const,
    needs: `${schema}.dead_letter`,
    sql: `select * from ${schema}.dead_letter`,
  })),
];
