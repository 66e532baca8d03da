import type { OwedRefunds, TicketType, WebhookEndpoint } from '../../api/records.ts';

/** Something that somebody has to decide or to do. */
export type AttentionItem =
  | { kind: 'refundsDue'; count: number }
  | { kind: 'refundsFailed'; count: number }
  | { kind: 'pending'; count: number; hasMore: boolean }
  | { kind: 'contested'; count: number }
  | { kind: 'webhooksFailing'; count: number }
  | { kind: 'endsToday'; name: string };

/** What the parts of the platform have responded so far. */
export interface AttentionReads {
  owed?: readonly Pick<OwedRefunds, 'dueRefunds' | 'failedRefunds'>[] | undefined;
  pending?: { registrations: readonly unknown[]; nextCursor: string | null } | undefined;
  checkins?: { contested: number } | undefined;
  webhookEndpoints?:
    | readonly Pick<WebhookEndpoint, 'failingSince' | 'disabledReason'>[]
    | undefined;
  ticketTypes?: readonly Pick<TicketType, 'name' | 'status' | 'closesAt'>[] | undefined;
}

const dayMs = 86_400_000;

/**
 * The items of an event, without those that nothing is known about. Only ticket types have an end
 * of their sale: add-ons and bundles are on sale until somebody closes them.
 */
export function decideItems(reads: AttentionReads, now: Date): AttentionItem[] {
  const { owed = [], pending, checkins, webhookEndpoints = [], ticketTypes = [] } = reads;
  const due = owed.reduce((sum, { dueRefunds }) => sum + dueRefunds, 0);
  const refused = owed.reduce((sum, { failedRefunds }) => sum + failedRefunds, 0);
  const waiting = pending?.registrations.length ?? 0;
  const contested = checkins?.contested ?? 0;
  const failing = webhookEndpoints.filter(isFailing).length;
  const ending = ticketTypes.filter((each) => endsWithinADay(each, now));
  return [
    ...(due > 0 ? [{ kind: 'refundsDue' as const, count: due }] : []),
    ...(refused > 0 ? [{ kind: 'refundsFailed' as const, count: refused }] : []),
    ...(waiting > 0
      ? [{ kind: 'pending' as const, count: waiting, hasMore: pending?.nextCursor !== null }]
      : []),
    ...(contested > 0 ? [{ kind: 'contested' as const, count: contested }] : []),
    ...(failing > 0 ? [{ kind: 'webhooksFailing' as const, count: failing }] : []),
    ...ending.map(({ name }) => ({ kind: 'endsToday' as const, name })),
  ];
}

/**
 * Whether an endpoint does not get its deliveries. Manually disabled endpoints do not count as
 * failing.
 */
const isFailing = ({
  failingSince,
  disabledReason,
}: Pick<WebhookEndpoint, 'failingSince' | 'disabledReason'>): boolean =>
  failingSince !== null || (disabledReason !== null && disabledReason !== 'requested');

function endsWithinADay(
  { status, closesAt }: Pick<TicketType, 'status' | 'closesAt'>,
  now: Date,
): boolean {
  if (status !== 'open' || closesAt === null) return false;
  const leftMs = Date.parse(closesAt) - now.getTime();
  return leftMs >= 0 && leftMs <= dayMs;
}
