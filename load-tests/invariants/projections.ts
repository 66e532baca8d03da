import type { Invariant } from './invariant.ts';

interface Copy {
  of: string;
  by: string;
  /** Pairs of columns that must be equal, of the owner and of the projection. */
  same: readonly (readonly [own: string, copied: string])[];
}

const version = ['version', 'version'] as const;
const unit = ['business_unit_id', 'business_unit_id'] as const;

const copies: Copy[] = [
  ...['registration', 'commerce', 'onsite'].flatMap((reader) =>
    ['event', 'ticket_type', 'addon'].map((record) => ({
      of: `catalog.${record}`,
      by: `${reader}.${record}_copy`,
      same: [version, unit],
    })),
  ),
  {
    of: 'catalog.ticket_type',
    by: 'registration.ticket_type_copy',
    same: [
      ['capacity', 'capacity'],
      ['status', 'status'],
    ],
  },
  { of: 'catalog.bundle', by: 'commerce.bundle_copy', same: [version, unit] },
  { of: 'catalog.perk', by: 'registration.perk_copy', same: [version, unit] },
  { of: 'catalog.perk', by: 'onsite.perk_copy', same: [version, unit] },
  {
    of: 'registration.registration',
    by: 'onsite.registration_copy',
    same: [version, unit, ['status', 'status'], ['checkin_code', 'checkin_code']],
  },
];

/** Invariants of projections after all messages have been applied. */
export const projectionInvariants: Invariant[] = [
  ...copies.map(({ of, by, same }) => ({
    title: `${by} equals ${of} (${same.map(([own]) => own).join(', ')})`,
    promise: 'I6' as const,
    needs: [of, by],
    sql: `select coalesce(o.id, c.id) as id from ${of} o full join ${by} c on c.id = o.id
      where (${['id', ...same.map(([own]) => own)].map((name) => `o.${name}`).join(', ')})
        is distinct from (${['id', ...same.map(([, copied]) => copied)].map((name) => `c.${name}`).join(', ')})`,
  })),
  {
    // The projection has no row for a code that was never published; such a code has no perks.
    title: 'onsite has the perks of every code',
    promise: 'I6',
    needs: ['onsite.redemption_code_copy', 'registration.redemption_code'],
    sql: `select coalesce(o.id, c.id) as id from registration.redemption_code o
      full join onsite.redemption_code_copy c on c.id = o.id
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
      where (coalesce(l.confirmed, 0), coalesce(l.waitlisted, 0))
        is distinct from (coalesce(c.confirmed, 0), coalesce(c.waitlisted, 0))`,
  },
];
