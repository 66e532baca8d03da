import { Maximize2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCommandRead, useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import { useLive } from '../../api/live.ts';
import type { CheckinRates, CheckinSummary } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { LiveDot } from '../../components/ui/live-dot.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { doorsText as text } from '../../text/doors.ts';
import { Conflicts } from './conflicts.tsx';
import { Devices } from './devices.tsx';
import { DoorCards } from './door-cards.tsx';
import { PairDialog } from './pair-dialog.tsx';
import { RatesTable } from './rates-table.tsx';
import { Wall } from './wall.tsx';

/** The doors of the event with their counts, what is unusual there, and the devices that scan. */
export function DoorsPage() {
  const { id: eventId } = useEvent();
  const live = useLive();
  const mayPair = usePermission('devices');
  const mayReadCheckins = usePermission('checkins.read');
  const [isPairing, setPairing] = useState(false);
  const [{ view }, setSearch] = useSearchState();
  const { data: summary, ...read } = useRead<CheckinSummary>(`${useEventPath()}/checkins/summary`);
  const doors = summary?.doors;
  const { data: rates } = useCommandRead<CheckinRates>('checkin.countPerMinute', { eventId });
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
            <Button icon={Maximize2} onClick={() => setSearch({ view: 'wall' })}>
              {text.wall}
            </Button>
            {pair}
          </>
        }
      />
      {read.error && !doors && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <SkeletonRows count={3} />}
      {doors && <DoorCards doors={doors} rates={rates} />}
      {doors && rates && <RatesTable doors={doors} rates={rates} />}
      {summary && mayReadCheckins && <Conflicts summary={summary} />}
      {mayPair && doors && <Devices doors={doors} pair={pair} />}
      {isPairing && doors && <PairDialog doors={doors} onClose={() => setPairing(false)} />}
      {view === 'wall' && doors && (
        <Wall
          doors={doors}
          rates={rates}
          live={live}
          onClose={() => setSearch({ view: undefined, doors: undefined })}
        />
      )}
    </>
  );
}
