import { useState } from 'react';
import { useRead } from '../../api/api.queries.ts';
import {
  useAvailabilities,
  useEventPath,
  useSalesByDay,
  useTicketTypes,
} from '../../api/event-data.ts';
import type { CheckinSummary } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { classes } from '../../components/ui/classes.ts';
import { FigureValue } from '../../components/ui/figure-value.tsx';
import { Link } from '../../components/ui/link.tsx';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { addDays, dayOf } from '../../format/time.ts';
import { overviewText } from '../../text/overview.ts';

/** A row of figures, each with a link to its list. */
export function Figures() {
  const unit = useUnit();
  const event = useEvent();
  const maySeeOrders = usePermission('orders.list');
  const types = useTicketTypes();
  const seats = [...useAvailabilities(types.data?.ticketTypes ?? []).values()];
  const today = dayOf(now(), event.timezone);
  const sales = useSalesByDay(addDays(today, -13), addDays(today, 1));
  const checkins = useRead<CheckinSummary>(`${useEventPath()}/checkins/summary`);
  // People, and not their check-ins at each door.
  const entrance = checkins.data?.doors.find(({ subjectType }) => subjectType === 'event');
  const isMissing = types.isError || seats.includes(null);
  const isRead = types.data !== undefined && seats.every((each) => each);
  const sum = (field: 'confirmed' | 'held' | 'waitlisted') =>
    isRead
      ? formatCount(seats.reduce((total, each) => total + (each?.[field] ?? 0), 0))
      : undefined;
  const isUnlimited = seats.some((each) => each?.remaining === null);
  const left = seats.reduce((total, each) => total + (each?.remaining ?? 0), 0);
  const revenue = sales.data?.eventTotals?.find(({ currency }) => currency === event.currency);
  const page = (name: 'registrations' | 'orders' | 'tickets' | 'doors') =>
    paths.eventPage(unit.id, event.id, name);
  const words = overviewText.figures;
  return (
    <ul
      aria-label={overviewText.figuresTitle}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-3 lg:grid-cols-6"
    >
      <Figure
        label={words.sold}
        value={sum('confirmed')}
        isMissing={isMissing}
        href={page('registrations')}
        search={{ status: 'confirmed' }}
      />
      <Figure
        label={words.held}
        value={sum('held')}
        isMissing={isMissing}
        href={page('orders')}
        search={{ status: 'held' }}
      />
      <Figure
        label={words.left}
        value={isRead ? (isUnlimited ? overviewText.unlimited : formatCount(left)) : undefined}
        isMissing={isMissing}
        href={page('tickets')}
      />
      {maySeeOrders && (
        <Figure
          label={words.revenue}
          value={sales.data?.eventTotals && formatMoney(revenue?.netAmount ?? 0, event.currency)}
          isMissing={!sales.isPending}
          href={page('orders')}
          search={{ status: 'paid' }}
        />
      )}
      <Figure
        label={words.waitlist}
        value={sum('waitlisted')}
        isMissing={isMissing}
        href={page('registrations')}
        search={{ status: 'waitlisted' }}
      />
      <Figure
        label={words.checkedIn}
        value={checkins.data && formatCount(entrance?.checkedIn ?? 0)}
        isMissing={checkins.isError}
        href={page('doors')}
      />
    </ul>
  );
}

function Figure({
  label,
  value,
  isMissing = false,
  href,
  search = {},
}: {
  label: string;
  /** Undefined until it is read. */
  value: string | undefined;
  /** The part of the platform that has it does not respond. */
  isMissing?: boolean;
  href: string;
  search?: Record<string, string>;
}) {
  const [shown, setShown] = useState({ value, isChanged: false });
  if (value !== undefined && shown.value !== value) {
    setShown({ value, isChanged: shown.value !== undefined });
  }
  return (
    <li className="bg-surface">
      <Link href={href} search={search} className="block px-4 py-3 hover:bg-hover">
        <span className="block text-xs text-muted">{label}</span>
        <span
          key={value}
          className={classes(
            'mt-1 block h-7 text-xl font-semibold',
            shown.isChanged && 'highlights',
          )}
          data-figure={label}
        >
          <FigureValue value={value} isMissing={isMissing} className="mt-1.5 w-16" />
        </span>
      </Link>
    </li>
  );
}
