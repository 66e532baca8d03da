import { projectionCheckpoint } from '@event-api/platform/messaging/projections/projection.entity';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * The order in which projected badges change: each has the sequence of the checkpoint that its
 * change belongs to. Triggers write it, because several statements write projections. Source: docs/algorithms/roster.md.
 */
export const changedSeqColumn = () => p.bigint('number').defaultRaw('0');

/** The triggers of projected registrations. */
export const badgeTriggers = [
  {
    name: 'badge_changed',
    timing: 'before' as const,
    events: ['insert' as const, 'update' as const],
    forEach: 'row' as const,
    expression:
      'create trigger badge_changed before insert or update on onsite.registration_projection for each row execute function onsite.badge_changed_fn()',
  },
  {
    // Locks the checkpoint before the rows, in the order of the projector.
    name: 'badge_removal',
    timing: 'before' as const,
    events: ['delete' as const],
    forEach: 'statement' as const,
    expression:
      'create trigger badge_removal before delete on onsite.registration_projection for each statement execute function onsite.badge_removal_fn()',
  },
  {
    name: 'badge_removed',
    timing: 'after' as const,
    events: ['delete' as const],
    forEach: 'statement' as const,
    expression:
      'create trigger badge_removed after delete on onsite.registration_projection referencing old table as removed for each statement execute function onsite.badge_removed_fn()',
  },
];

/** A badge that was deleted from the projection since the last rebuild. */
export const RemovedBadge = defineEntity({
  name: 'RemovedBadge',
  tableName: 'removed_badge',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    changedSeq: p.bigint('number'),
  },
  indexes: [
    { name: 'removed_badge_in_order_of_change', properties: ['eventId', 'changedSeq', 'id'] },
  ],
});

/**
 * What all cursors of rosters begin with. Each rebuild of the projections replaces it. It has one
 * row.
 */
export const RosterEpoch = defineEntity({
  name: 'RosterEpoch',
  tableName: 'roster_epoch',
  properties: { name: p.text().primary(), epoch: p.uuid().defaultRaw('gen_random_uuid()') },
});

/**
 * The checkpoint, which tells the triggers of badges what it advances to, and replaces the epoch
 * after a rebuild.
 */
export const OnsiteCheckpoint = defineEntity({
  ...projectionCheckpoint,
  triggers: [
    {
      name: 'checkpoint_advances',
      timing: 'before',
      events: ['update'],
      forEach: 'row',
      expression:
        'create trigger checkpoint_advances before update on onsite.projection_checkpoint for each row execute function onsite.checkpoint_advances_fn()',
    },
  ],
});
