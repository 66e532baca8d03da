import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const eventProjection = defineProjection({
  // Only what is stored is parsed: another release of catalog may publish fewer or more fields.
  type: {
    ...eventSnapshot,
    data: eventSnapshot.data.pick({ agendaEpoch: true, startsAt: true, endsAt: true }),
  },
  table: 'onsite.event_copy',
  columns: { agenda_epoch: 'int', starts_at: 'timestamptz', ends_at: 'timestamptz' },
  row: ({ agendaEpoch, startsAt, endsAt }) => ({
    agenda_epoch: agendaEpoch,
    starts_at: startsAt,
    ends_at: endsAt,
  }),
});
