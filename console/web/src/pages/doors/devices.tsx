import { ScanLine } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/actions.ts';
import type { DoorCount, PairedDevice } from '../../api/records.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { doorsText as text } from '../../text/doors.ts';
import { doorNamesOf } from './rules.ts';
import { useDevices } from './use-devices.ts';

/** The devices of the event. Their state is read again every ten seconds. */
export function Devices({ doors, pair }: { doors: readonly DoorCount[]; pair: ReactNode }) {
  const query = useDevices(10_000);
  const [revoked, setRevoked] = useState<PairedDevice | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const devices = query.data?.devices ?? [];
  return (
    <Section title={text.devices} description={text.devicesText} isFlush className="mt-4">
      {query.isPending && <SkeletonRows count={3} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && devices.length === 0 && (
        <Empty icon={ScanLine} title={text.empty} action={pair}>
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
      {revoked && <RevokeDialog device={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}

const columnsOf = (
  doors: readonly DoorCount[],
  onRevoke: (device: PairedDevice) => void,
): Column<PairedDevice>[] => {
  const words = text.columns;
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'state',
      header: words.state,
      cell: ({ state }) => <StatusBadge kind="device" status={state} />,
    },
    { id: 'doors', header: words.doors, cell: (device) => doorNamesOf(device, doors).join(', ') },
    { id: 'expires', header: words.expires, cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      cell: (device) =>
        (device.state === 'paired' || device.state === 'waiting') && (
          <Button aria-label={text.revokeConfirm(device.name)} onClick={() => onRevoke(device)}>
            {text.revoke}
          </Button>
        ),
    },
  ];
};

function RevokeDialog({ device, onClose }: { device: PairedDevice; onClose: () => void }) {
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
