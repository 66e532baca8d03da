import { DoorClosed, DoorOpen } from 'lucide-react';
import { useCommandRead, useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import { Badge } from '../../components/ui/badge.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { registrationsText as text } from '../../text/registrations.ts';

interface Door {
  subjectType: 'event' | 'session' | 'venue';
  subjectId: string;
  name: string | null;
}

interface Explanation {
  outcome: string;
  rules: { rule: string; passed: boolean; perks?: { name: string | null }[] }[];
  checkin: { checkedInAt: string } | null;
}

/** Every door with yes or no and the reason, decided by the same rules as a scan at the door. */
export function Doors({ registrationId }: { registrationId: string }) {
  const summary = useRead<{ doors: Door[] }>(`${useEventPath()}/checkins/summary`);
  return (
    <Section title={text.doors}>
      {summary.error && <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />}
      {summary.isPending && <Skeleton className="h-26 w-2/3" />}
      <ul className="flex flex-col gap-2">
        {summary.data?.doors.map((door) => (
          <DoorRow key={door.subjectId} door={door} registrationId={registrationId} />
        ))}
      </ul>
    </Section>
  );
}

function DoorRow({ door, registrationId }: { door: Door; registrationId: string }) {
  const event = useEvent();
  const { data, isPending, error, refetch } = useCommandRead<Explanation>('checkin.explain', {
    eventId: event.id,
    registrationId,
    subjectType: door.subjectType,
    subjectId: door.subjectId,
  });
  const isOpen = data?.outcome === 'admitted';
  const gate = data?.rules.find(({ rule, passed }) => rule === 'gate' && !passed);
  const perks = gate?.perks?.map(({ name }) => name).join(', ');
  return (
    <li className="flex flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">
          {door.subjectType === 'event' ? text.eventDoor : (door.name ?? door.subjectId)}
        </span>
        {data && (
          <Badge tone={isOpen ? 'green' : 'gray'} icon={isOpen ? DoorOpen : DoorClosed}>
            {isOpen ? text.mayEnter : text.mayNotEnter}
          </Badge>
        )}
      </span>
      {isPending && <Skeleton className="my-0.5 w-2/3" />}
      {error && !data && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <span className="text-muted">
          {text.outcomes[data.outcome] ?? data.outcome} {perks && text.opens(perks)}
          {data.checkin && (
            <>
              {' '}
              {text.checkedInAt} <Instant at={data.checkin.checkedInAt} />
            </>
          )}
        </span>
      )}
    </li>
  );
}
