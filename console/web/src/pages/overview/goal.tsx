import { useAvailabilities, useTicketTypes } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import { Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { dayOf, formatDay } from '../../format/time.ts';
import { overviewText as text } from '../../text/overview.ts';
import { compare, forecast } from './period.rules.ts';
import { usePeriod } from './use-period.ts';

/**
 * How far the event is from being sold out. The capacity of its ticket types is the goal, so that
 * there is no second number that somebody has to keep.
 */
export function Goal() {
  const event = useEvent();
  const types = (useTicketTypes().data?.ticketTypes ?? []).filter(
    ({ status }) => status !== 'archived',
  );
  const seats = useAvailabilities(types);
  const { period, today, registrations, registrationsOn } = usePeriod();
  const taken = types.reduce((sum, { id }) => sum + (seats.get(id)?.confirmed ?? 0), 0);
  const isLimited = types.every(({ capacity }) => capacity !== null);
  const goal = isLimited ? types.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0) : null;
  const isRead = registrations.data && types.every(({ id }) => seats.get(id));
  const { sum: sold } = compare(period, registrationsOn);
  const result = forecast({
    taken,
    goal,
    sold,
    days: period.days.length,
    today,
    startsOn: event.startsAt === null ? null : dayOf(event.startsAt, event.timezone),
  });
  const isMissing = registrations.isError || types.some(({ id }) => seats.get(id) === null);
  // The figures above say that they are missing.
  if (types.length === 0 || (isMissing && !isRead)) return null;
  return (
    <Section title={text.goal}>
      {isRead ? (
        <>
          <p className="mb-1.5">
            <span className="text-xl font-semibold">
              {goal === null || goal === 0 ? formatCount(taken) : text.ofGoal(taken, goal)}
            </span>{' '}
            <span className="text-muted">
              {goal === null ? text.noGoal : text.goalPercent(taken, goal)}
            </span>
          </p>
          {goal !== null && (
            <StackedBar
              total={goal}
              parts={[{ label: text.seatParts.confirmed, value: taken, color: 'bg-accent' }]}
            />
          )}
          <p className="mt-2 text-muted">
            {result.outcome === 'sold_out' &&
              text.soldOutOn(text.pace[period.name], formatDay(result.on, 'UTC'))}
            {result.outcome === 'by_start' &&
              text.byStart(text.pace[period.name], formatCount(result.seats))}
            {result.outcome === 'unknown' &&
              (goal !== null && taken >= goal ? text.isSoldOut : text.noForecast)}
          </p>
        </>
      ) : (
        <Skeleton className="h-14" />
      )}
    </Section>
  );
}
