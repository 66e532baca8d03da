import { Dialog } from '@base-ui/react/dialog';
import { Minimize2, TriangleAlert } from 'lucide-react';
import type { Live } from '../../api/live.ts';
import type { CheckinRates, DoorCount } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { LiveDot } from '../../components/ui/live-dot.tsx';
import { now } from '../../format/clock.ts';
import { doorsText as text } from '../../text/doors.ts';
import { DoorCards } from './door-cards.tsx';
import { isSilent, withActivity } from './doors.rules.ts';
import { FullScreen } from './full-screen.tsx';
import { refetchMs, useDeviceActivity, useDevices } from './use-devices.ts';

/** The doors on the whole screen, to be read from a distance. */
export function Wall({
  doors,
  rates,
  live,
  onClose,
}: {
  doors: readonly DoorCount[];
  rates: CheckinRates | undefined;
  live: Live;
  onClose: () => void;
}) {
  const { name } = useEvent();
  const mayReadDevices = usePermission('devices');
  return (
    <FullScreen onClose={onClose} className="flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Dialog.Title className="text-2xl font-semibold wrap-anywhere">{name}</Dialog.Title>
        <div className="flex items-center gap-3">
          <LiveDot {...live} />
          <Button icon={Minimize2} onClick={onClose}>
            {text.leaveWall}
          </Button>
        </div>
      </header>
      {mayReadDevices && <SilentDevices />}
      <DoorCards doors={doors} rates={rates} isWall />
    </FullScreen>
  );
}

/** The devices that do not report any more, so that somebody looks after them. */
function SilentDevices() {
  const devices = useDevices(refetchMs).data?.devices ?? [];
  const activity = useDeviceActivity().data?.devices ?? [];
  const silent = withActivity(devices, activity).filter((device) => isSilent(device, now()));
  if (silent.length === 0) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-2xl font-medium text-amber">
      <TriangleAlert aria-hidden className="size-6 shrink-0" />
      {text.silentDevices(silent.map(({ name }) => name))}
    </p>
  );
}
