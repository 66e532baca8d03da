import { ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import { useCommandRead, useRead } from '../../api/queries.ts';
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
import { paths } from '../../format/paths.ts';
import { overviewText } from '../../text/overview.ts';

const counted = 100;
const dayMs = 86_400_000;

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

/** Whether an endpoint does not get its deliveries. One that a person has disabled is as it should be. */
const isFailing = ({ failingSince, disabledReason }: WebhookEndpoint): boolean =>
  failingSince !== null || (disabledReason !== null && disabledReason !== 'requested');

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
  const checkins = summary.data;
  const webhooks = useRead<{ webhookEndpoints: WebhookEndpoint[] }>(
    'v1/webhook-endpoints',
    { limit: counted },
    { isEnabled: usePermission('webhooks') },
  );
  const types = useTicketTypes();
  const items: Item[] = [];
  const refundItem = (text: string) => ({ text, href: paths.refunds(unit.id), search: {} });
  const owed = refunds.data?.owed ?? [];
  const due = owed.reduce((sum, { dueRefunds }) => sum + dueRefunds, 0);
  if (due > 0) items.push(refundItem(overviewText.refundsDue(due)));
  const refused = owed.reduce((sum, { failedRefunds }) => sum + failedRefunds, 0);
  if (refused > 0) items.push(refundItem(overviewText.refundsFailed(refused)));
  if (pending.data && pending.data.registrations.length > 0) {
    const text = overviewText.pending(
      pending.data.registrations.length,
      pending.data.nextCursor !== null,
    );
    const href = paths.eventPage(unit.id, event.id, 'registrations');
    items.push({ text, href, search: { status: 'pending' } });
  }
  if (checkins && checkins.contested > 0) {
    const href = paths.eventPage(unit.id, event.id, 'doors');
    items.push({ text: overviewText.contested(checkins.contested), href, search: {} });
  }
  const failing = webhooks.data?.webhookEndpoints.filter(isFailing).length ?? 0;
  if (failing > 0) {
    items.push({
      text: overviewText.webhooksFailing(failing),
      href: paths.webhooks(unit.id),
      search: {},
    });
  }
  const time = now().getTime();
  for (const { name, status, closesAt } of types.data?.ticketTypes ?? []) {
    const left = closesAt === null ? -1 : Date.parse(closesAt) - time;
    if (status !== 'open' || left < 0 || left > dayMs) continue;
    const href = paths.eventPage(unit.id, event.id, 'tickets');
    items.push({ text: overviewText.endsToday(name), href, search: {} });
  }
  const reads = [refunds, pending, summary, webhooks, types];
  const state = reads.some(({ isError, failureCount }) => isError || failureCount > 0)
    ? 'incomplete'
    : reads.some(({ isLoading }) => isLoading)
      ? 'loading'
      : 'complete';
  return { items, state };
}
