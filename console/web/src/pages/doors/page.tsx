import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useEventPath } from '../../api/event-data.ts';
import { useLive } from '../../api/live.ts';
import { useRead } from '../../api/queries.ts';
import type { DoorCount } from '../../api/records.ts';
import { usePermission } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { LiveDot } from '../../components/ui/live-dot.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { doorsText as text } from '../../text/doors.ts';
import { Devices } from './devices.tsx';
import { DoorCards } from './door-cards.tsx';
import { PairDialog } from './pair-dialog.tsx';

/** The doors of the event with their counts, and the devices that scan there. */
export function DoorsPage() {
  const live = useLive();
  const mayPair = usePermission('devices');
  const [isPairing, setPairing] = useState(false);
  const summary = useRead<{ doors: DoorCount[] }>(`${useEventPath()}/checkins/summary`);
  const doors = summary.data?.doors;
  const pair = mayPair && doors && (
    <Button kind="primary" icon={Plus} onClick={() => setPairing(true)}>
      {text.pair}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={
          <>
            <LiveDot {...live} />
            {pair}
          </>
        }
      />
      {summary.error && !doors && (
        <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
      )}
      {summary.isPending && <SkeletonRows count={3} />}
      {doors && <DoorCards doors={doors} />}
      {mayPair && doors && <Devices doors={doors} pair={pair} />}
      {isPairing && doors && <PairDialog doors={doors} onClose={() => setPairing(false)} />}
    </>
  );
}
