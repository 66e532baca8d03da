import { ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react';
import { useCommandRead, useRead } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type {
  CheckinSummary,
  OwedRefunds,
  Registration,
  WebhookEndpoint,
} from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Link } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { now } from '../../format/clock.ts';
import { type EventPageName, paths } from '../../format/paths.ts';
import { overviewText } from '../../text/overview.ts';
import { type AttentionItem, decideItems } from './attention-rules.ts';

const counted = 100;

interface Item {
  text: string;
  href: string;
  search: Record<string, string>;
}

/** What somebody has to decide or to do in this event. */
export function Attention() {
  const { items, state } = useItems();
  return (
    <Section title={overviewText.attention}>
      {state === 'incomplete' && (
        <p role="status" className="mb-1 flex items-center gap-2 text-amber">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {overviewText.attentionIncomplete}
        </p>
      )}
      {items.length === 0 && state === 'complete' && (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck aria-hidden className="size-4 text-green" />
          {overviewText.nothing}
        </p>
      )}
      {items.length > 0 && (
        <ul className="-mx-2 flex flex-col">
          {items.map(({ text, href, search }) => (
            <li key={text}>
              <Link
                href={href}
                search={search}
                className="flex min-h-9 items-center justify-between gap-2 rounded-md px-2 hover:bg-hover touch:min-h-11"
              >
                {text}
                <ChevronRight aria-hidden className="size-4 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The items, and whether all parts of the platform have responded with theirs. */
function useItems(): { items: Item[]; state: 'complete' | 'loading' | 'incomplete' } {
  const unit = useUnit();
  const event = useEvent();
  const path = useEventPath();
  const refunds = useCommandRead<{ owed: OwedRefunds[] }>(
    'refund.summary',
    { eventId: event.id },
    { isEnabled: usePermission('money') },
  );
  const pending = useRead<{ registrations: Registration[]; nextCursor: string | null }>(
    `${path}/registrations`,
    { status: 'pending', limit: counted },
    { isEnabled: usePermission('people.write') },
  );
  const summary = useRead<CheckinSummary>(`${path}/checkins/summary`);
  const webhooks = useRead<{ webhookEndpoints: WebhookEndpoint[] }>(
    'v1/webhook-endpoints',
    { limit: counted },
    { isEnabled: usePermission('webhooks') },
  );
  const types = useTicketTypes();
  const items = decideItems(
    {
      owed: refunds.data?.owed,
      pending: pending.data,
      checkins: summary.data,
      webhookEndpoints: webhooks.data?.webhookEndpoints,
      ticketTypes: types.data?.ticketTypes,
    },
    now(),
  ).map((item) => linkOf(item, unit.id, event.id));
  const reads = [refunds, pending, summary, webhooks, types];
  const state = reads.some(({ isError, failureCount }) => isError || failureCount > 0)
    ? 'incomplete'
    : reads.some(({ isLoading }) => isLoading)
      ? 'loading'
      : 'complete';
  return { items, state };
}

/** The text of an item, and where it is done. */
function linkOf(item: AttentionItem, unitId: string, eventId: string): Item {
  const page = (name: EventPageName) => paths.eventPage(unitId, eventId, name);
  switch (item.kind) {
    case 'refundsDue':
      return { text: overviewText.refundsDue(item.count), href: paths.refunds(unitId), search: {} };
    case 'refundsFailed': {
      const text = overviewText.refundsFailed(item.count);
      return { text, href: paths.refunds(unitId), search: {} };
    }
    case 'pending': {
      const text = overviewText.pending(item.count, item.hasMore);
      return { text, href: page('registrations'), search: { status: 'pending' } };
    }
    case 'contested':
      return { text: overviewText.contested(item.count), href: page('doors'), search: {} };
    case 'webhooksFailing': {
      const text = overviewText.webhooksFailing(item.count);
      return { text, href: paths.webhooks(unitId), search: {} };
    }
    case 'endsToday':
      return { text: overviewText.endsToday(item.name), href: page('tickets'), search: {} };
  }
}
