import { ScanLine, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/actions.ts';
import type { DeviceActivity, DoorCount } from '../../api/records.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Badge, StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { now } from '../../format/clock.ts';
import { doorsText as text } from '../../text/doors.ts';
import {
  doorNamesOf,
  isRosterOld,
  isSilent,
  type ListedDevice,
  withActivity,
} from './doors.rules.ts';
import { refetchMs, useDeviceActivity, useDevices } from './use-devices.ts';

/** The devices of the event. Their state is read again every ten seconds. */
export function Devices({ doors, pair }: { doors: readonly DoorCount[]; pair: ReactNode }) {
  const query = useDevices(refetchMs);
  const activity = useDeviceActivity();
  const [revoked, setRevoked] = useState<ListedDevice | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const devices = withActivity(query.data?.devices ?? [], activity.data?.devices ?? []);
  return (
    <Section title={text.devices} description={text.devicesText} isFlush className="mt-4">
      {query.isPending && <SkeletonRows count={3} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && devices.length === 0 && (
        <Empty guide="doors" icon={ScanLine} title={text.empty} action={pair}>
          {text.emptyText}
        </Empty>
      )}
      {devices.length > 0 && (
        <Rows
          label={text.devices}
          columns={columnsOf(doors, setRevoked)}
          rows={devices}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
        />
      )}
      {activity.error && devices.length > 0 && (
        <p role="status" className="px-4 py-2 text-sm text-muted">
          {text.unknownActivity}
        </p>
      )}
      {revoked && <RevokeDialog device={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}

const columnsOf = (
  doors: readonly DoorCount[],
  onRevoke: (device: ListedDevice) => void,
): Column<ListedDevice>[] => {
  const words = text.columns;
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'state',
      header: words.state,
      card: 'corner',
      cell: ({ state }) => <StatusBadge kind="device" status={state} />,
    },
    { id: 'doors', header: words.doors, cell: (device) => doorNamesOf(device, doors).join(', ') },
    {
      id: 'seen',
      header: words.seen,
      cell: (device) => <Seen device={device} />,
    },
    {
      id: 'roster',
      header: words.roster,
      cell: ({ activity }) => activity && <RosterAge activity={activity} />,
    },
    {
      id: 'unsent',
      header: words.unsent,
      cell: ({ activity }) => activity?.report && <Unsent count={activity.report.unsentScans} />,
    },
    { id: 'expires', header: words.expires, cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      card: 'end',
      cell: (device) =>
        (device.state === 'paired' || device.state === 'waiting') && (
          <Button aria-label={text.revokeConfirm(device.name)} onClick={() => onRevoke(device)}>
            {text.revoke}
          </Button>
        ),
    },
  ];
};

/** The cards of a phone have no headers, so the cell says what the time means. */
function Ago({ prefix, at }: { prefix: string; at: string | undefined }) {
  if (at === undefined) return <Instant at={null} />;
  return (
    <>
      {prefix} <Instant at={at} style="relative" />
    </>
  );
}

/** When the device was seen; marked if it does not report any more. */
function Seen({ device }: { device: ListedDevice }) {
  const at = <Ago prefix={text.seenAt} at={device.activity?.lastSeenAt} />;
  if (!isSilent(device, now())) return at;
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Badge tone="amber" icon={TriangleAlert}>
        {text.silent}
      </Badge>
      {at}
    </span>
  );
}

/** When the device has read the roster; marked if it would decide with an old one. */
function RosterAge({ activity }: { activity: DeviceActivity }) {
  const { report } = activity;
  if (report === null) return <Instant at={null} />;
  const age = report.rosterReadAt ? (
    <Ago prefix={text.rosterOf} at={report.rosterReadAt} />
  ) : (
    text.noRoster
  );
  return isRosterOld(activity) ? <span className="text-amber">{age}</span> : age;
}

function Unsent({ count }: { count: number }) {
  if (count === 0) return text.allSent;
  return (
    <Badge tone="amber" icon={TriangleAlert}>
      {text.unsent(count)}
    </Badge>
  );
}

function RevokeDialog({ device, onClose }: { device: ListedDevice; onClose: () => void }) {
  const { id, name } = device;
  const toast = useToast();
  const action = useAction(() => {
    toast(text.revoked(name));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.revokeTitle(name)}
      consequence={text.revokeText}
      confirmLabel={text.revokeConfirm(name)}
      onConfirm={() => void action.run({ command: 'device.revoke', input: { id } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
