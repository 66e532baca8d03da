import { useCommandRead, useRead } from '../../api/api.queries.ts';
import {
  useAddons,
  useBundles,
  useEventPath,
  usePerks,
  useSessions,
  useTicketTypes,
  useVenues,
} from '../../api/event-data.ts';
import type { DoorRules, EventLimits, Form, RefundPolicy } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import type { CopySource } from './duplicate.rules.ts';

/** Reads what a copy of the event needs; null while it is read, and the first failure. */
export function useCopySource(): { source: CopySource | null; error: Error | null } {
  const event = useEvent();
  const path = useEventPath();
  const maySetPolicy = usePermission('policy');
  const scope = { eventId: event.id };
  const limits = useCommandRead<EventLimits>('event.getLimits', scope);
  const doorRules = useCommandRead<DoorRules>('event.getDoorRules', scope);
  const form = useRead<Form>(`${path}/form`);
  const policy = useRead<{ policy: RefundPolicy }>(`${path}/refund-policy`);
  const ticketTypes = useTicketTypes();
  const addons = useAddons();
  const bundles = useBundles();
  const perks = usePerks();
  const venues = useVenues();
  const sessions = useSessions();
  const reads = [limits, doorRules, form, policy, ticketTypes, addons, bundles, perks, venues];
  const error = [...reads, sessions].find((read) => read.error)?.error ?? null;
  if (
    !(limits.data && doorRules.data && form.data && policy.data && ticketTypes.data) ||
    !(addons.data && bundles.data && perks.data && venues.data && sessions.data)
  ) {
    return { source: null, error };
  }
  const source = {
    event,
    limits: limits.data,
    doorRules: doorRules.data,
    questions: form.data.questions,
    policy: maySetPolicy ? policy.data.policy : null,
    ticketTypes: ticketTypes.data.ticketTypes,
    addons: addons.data.addons,
    bundles: bundles.data.bundles,
    perks: perks.data.perks,
    venues: venues.data.venues,
    sessions: sessions.data.sessions,
  };
  return { source, error };
}
