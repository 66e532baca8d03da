import { useQueries } from '@tanstack/react-query';
import { type QueryOptions, useCommandRead, useRead, useScopePath } from './api.queries.ts';
import { useClient } from './client.ts';
import type {
  Addon,
  Availability,
  Bundle,
  Exhibitor,
  Form,
  Perk,
  Registration,
  RegistrationDays,
  Session,
  Speaker,
  TicketType,
  Venue,
} from './records.ts';
import { useEvent, usePermission } from './unit.ts';

/** The path of the event's API operations, below that of the unit. */
export const useEventPath = (): string => `v1/events/${encodeURIComponent(useEvent().id)}`;

const allRows = { limit: 1000 };

export const useTicketTypes = () =>
  useRead<{ ticketTypes: TicketType[] }>(`${useEventPath()}/ticket-types`, allRows);

export const useAddons = () => useRead<{ addons: Addon[] }>(`${useEventPath()}/addons`, allRows);

export const useBundles = () =>
  useRead<{ bundles: Bundle[] }>(`${useEventPath()}/bundles`, allRows);

/** The questions of the event. Empty for a role that does not read its settings. */
export const useForm = () =>
  useRead<Form>(`${useEventPath()}/form`, {}, { isEnabled: usePermission('settings.read') });

export const useSessions = (options: QueryOptions = {}) =>
  useRead<{ sessions: Session[] }>(`${useEventPath()}/sessions`, allRows, options);

export const useSpeakers = () =>
  useRead<{ speakers: Speaker[] }>(`${useEventPath()}/speakers`, allRows);

export const useVenues = () => useRead<{ venues: Venue[] }>(`${useEventPath()}/venues`, allRows);

export const useExhibitors = () =>
  useRead<{ exhibitors: Exhibitor[] }>(`${useEventPath()}/exhibitors`, allRows);

export const usePerks = () =>
  useCommandRead<{ perks: Perk[] }>('perk.list', { eventId: useEvent().id });

/**
 * The exact seats of each ticket type; undefined for those that are not read yet, null for those
 * that cannot be read.
 */
export function useAvailabilities(types: readonly TicketType[]) {
  const client = useClient();
  const scope = useScopePath();
  const path = useEventPath();
  return useQueries({
    queries: types.map(({ id }) => {
      const ofType = `${path}/ticket-types/${encodeURIComponent(id)}/availability`;
      return {
        queryKey: [scope, ofType],
        queryFn: () => client.request<Availability>({ path: `${scope}/${ofType}` }),
      };
    }),
    combine: (results) =>
      new Map(
        types.map(({ id }, index) => {
          const { data, isError = false } = results[index] ?? {};
          return [id, data ?? (isError ? null : undefined)] as const;
        }),
      ),
  });
}

/** Registrations by their ids; without those that are not read yet or cannot be read. */
export function useRegistrations(ids: readonly string[]): ReadonlyMap<string, Registration> {
  const client = useClient();
  const scope = useScopePath();
  const path = useEventPath();
  const mayRead = usePermission('people.read');
  return useQueries({
    queries: ids.map((id) => {
      const ofPerson = `${path}/registrations/${encodeURIComponent(id)}`;
      return {
        // The key of a page of the person, which shares the response.
        queryKey: [scope, ofPerson, {}],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          client.request<Registration>({ path: `${scope}/${ofPerson}`, signal }),
        enabled: mayRead,
      };
    }),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : []))),
  });
}

export interface SalesSummary {
  timezone: string;
  rows: {
    day?: string;
    /** Null for add-ons and what bundles cost on top of their seats. */
    ticketTypeId?: string | null;
    name?: string | null;
    seats: number;
    grossAmount: number;
    refundedAmount: number;
    netAmount: number;
    currency: string;
  }[];
  totals: { currency: string; seats: number; grossAmount: number; netAmount: number }[];
  /** Omitted by an older release of the service. */
  eventTotals?: {
    currency: string;
    grossAmount: number;
    refundedAmount: number;
    /** What disputes have taken: the lost ones, and the open ones. Omitted by an older release. */
    lostAmount?: number;
    disputedAmount?: number;
    netAmount: number;
  }[];
}

/** Money per day of the event's zone, `to` excluded, and of the event as a whole. */
export const useSalesByDay = (from: string, to: string) =>
  useCommandRead<SalesSummary>(
    'sales.summary',
    { eventId: useEvent().id, from, to, by: 'day' },
    { isEnabled: usePermission('orders.list') },
  );

/** Registrations per day of the event's zone, `to` excluded, with and without an order. */
export const useRegistrationsByDay = (from: string, to: string) =>
  useCommandRead<RegistrationDays>('registration.countPerDay', {
    eventId: useEvent().id,
    from,
    to,
  });
