import { Store } from 'lucide-react';
import type { Exhibitor } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { classes } from '../../components/ui/classes.ts';
import { useKeepsScroll } from '../../components/ui/keeps-scroll.ts';
import { Link } from '../../components/ui/link.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../format/paths.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { statusText } from '../../text/status.ts';

const statuses = Object.keys(statusText.exhibitor) as Exhibitor['status'][];

/** The companies in the columns pending, confirmed and declined. */
export function Pipeline({
  exhibitors,
  activeId,
  add,
}: {
  exhibitors: readonly Exhibitor[];
  activeId: string | undefined;
  add: React.ReactNode;
}) {
  const keepsScroll = useKeepsScroll();
  const unit = useUnit();
  const event = useEvent();
  if (exhibitors.length === 0) {
    return (
      <Section>
        <Empty guide="running-an-event#exhibitors" icon={Store} title={text.empty} action={add}>
          {text.emptyText}
        </Empty>
      </Section>
    );
  }
  return (
    <div className={classes('grid items-start gap-4', activeId ? '' : 'lg:grid-cols-3')}>
      {statuses.map((status) => {
        const companies = exhibitors.filter((each) => each.status === status);
        return (
          <Section
            key={status}
            title={statusText.exhibitor[status]}
            actions={<span className="text-muted">{formatCount(companies.length)}</span>}
            isFlush
          >
            {companies.length === 0 && <p className="px-4 pb-3 text-muted">{text.emptyColumn}</p>}
            <ul className="divide-y divide-line">
              {companies.map(({ id, name, members, booths }) => (
                <li key={id}>
                  <Link
                    href={paths.exhibitor(unit.id, event.id, id)}
                    resetScroll={!keepsScroll}
                    aria-current={id === activeId ? 'page' : undefined}
                    className={classes(
                      'flex min-h-11 items-center justify-between gap-2 px-4 py-2 hover:bg-hover',
                      id === activeId && 'bg-accent-soft',
                    )}
                  >
                    <span className="min-w-0">
                      <span className="block font-medium wrap-anywhere">{name}</span>
                      <span className="block text-muted">
                        {text.summary(members.length, booths.length)}
                      </span>
                    </span>
                    <StatusBadge kind="exhibitor" status={status} />
                  </Link>
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
    </div>
  );
}
