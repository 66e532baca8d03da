import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCommandList } from '../../api/api.queries.ts';
import type { CheckinSummary, Conflict } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { RecordTable } from '../../components/list/record-table.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { paths } from '../../format/paths.ts';
import { doorsText as text } from '../../text/doors.ts';
import { conflictReason, doorName, mayHaveConflicts, sourceName } from './doors.rules.ts';
import { useDevices } from './use-devices.ts';

/**
 * Badges that two devices have let in, people whom a device has let in against the rules, and
 * undone check-ins. The list is read again when the counts of the doors say that there may be more.
 */
export function Conflicts({ summary }: { summary: CheckinSummary }) {
  const unit = useUnit();
  const event = useEvent();
  const list = useCommandList<Conflict>('conflicts', 'checkin.listConflicts', {
    eventId: event.id,
  });
  const names = useDeviceNames();
  const before = useRef(summary);
  const { reload } = list;
  useEffect(() => {
    if (mayHaveConflicts(before.current, summary)) reload();
    before.current = summary;
  }, [summary, reload]);
  return (
    <Section title={text.conflicts} description={text.conflictsText} isFlush className="mt-4">
      <RecordTable
        label={text.conflicts}
        list={list}
        columns={columnsOf(summary, names)}
        rowId={({ kind, id }) => `${kind} ${id}`}
        rowName={({ name, checkin }) => name ?? checkin.registrationId}
        rowHref={({ checkin }) => paths.registration(unit.id, event.id, checkin.registrationId)}
        empty={
          <Empty isPart icon={CircleCheck} title={text.noConflicts}>
            {text.noConflictsText}
          </Empty>
        }
      />
    </Section>
  );
}

/**
 * The names of the event's devices by id. Roles that may not list them see what kind of source it
 * was.
 */
function useDeviceNames(): ReadonlyMap<string, string> {
  const devices = useDevices(10_000, { isEnabled: usePermission('devices') });
  return new Map(devices.data?.devices.map(({ id, name }) => [id, name]));
}

const columnsOf = (
  { doors }: CheckinSummary,
  names: ReadonlyMap<string, string>,
): Column<Conflict>[] => {
  const words = text.conflictColumns;
  return [
    {
      id: 'person',
      header: words.person,
      cell: ({ name, checkin }) => name ?? checkin.registrationId,
    },
    {
      id: 'kind',
      header: words.kind,
      cell: ({ kind }) => (
        <Badge tone={kind === 'undone' ? 'gray' : 'amber'}>{text.kinds[kind]}</Badge>
      ),
    },
    {
      id: 'door',
      header: words.door,
      cell: ({ checkin }) => {
        const door = doors.find(({ subjectId }) => subjectId === checkin.subjectId);
        return doorName(door ?? { ...checkin, name: null });
      },
    },
    {
      id: 'scan',
      header: words.scan,
      cell: (conflict) => (
        <SourceAt
          source={sourceName(conflict.source, names)}
          at={conflict.kind === 'undone' ? conflict.recordedAt : conflict.occurredAt}
        />
      ),
    },
    {
      id: 'other',
      header: words.other,
      cell: (conflict) =>
        conflict.kind === 'contested' && (
          <SourceAt
            source={sourceName(conflict.other.source, names)}
            at={conflict.other.occurredAt}
          />
        ),
    },
    { id: 'reason', header: words.reason, cell: conflictReason },
  ];
};

function SourceAt({ source, at }: { source: string; at: string }) {
  return (
    <>
      {source}
      <span className="block text-xs text-muted">
        <Instant at={at} />
      </span>
    </>
  );
}
