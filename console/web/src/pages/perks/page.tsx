import { Gift, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCommandRead } from '../../api/api.queries.ts';
import {
  useAddons,
  usePerks,
  useSessions,
  useTicketTypes,
  useVenues,
} from '../../api/event-data.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { perksText as text } from '../../text/perks.ts';
import { Delivery } from './delivery.tsx';
import { Gates } from './gates.tsx';
import { PerkDialog } from './perk-dialog.tsx';
import {
  type CodeWithPerks,
  deliveredBy,
  doorsOf,
  markedIn,
  type Target,
  withMarks,
} from './perks.rules.ts';
import { useDeliveryMarks, useGateMarks } from './use-marks.ts';

/** Which perks tickets, add-ons and codes deliver, and which perks open which door. */
export function PerksPage() {
  const mayWrite = usePermission('design');
  const [isCreating, setCreating] = useState(false);
  const perks = usePerks();
  const add = mayWrite && (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={text.title} description={text.description} actions={add} />
      {perks.error && !perks.data ? (
        <ErrorNote error={perks.error} onRetry={() => void perks.refetch()} />
      ) : !perks.data ? (
        <SkeletonRows />
      ) : perks.data.perks.length === 0 ? (
        <Section>
          <Empty
            guide="running-an-event#perks-and-gates"
            icon={Gift}
            title={text.empty}
            action={add}
          >
            {text.emptyText}
          </Empty>
        </Section>
      ) : (
        <Matrices perks={perks.data.perks} />
      )}
      {isCreating && <PerkDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Matrices({ perks }: { perks: NonNullable<ReturnType<typeof usePerks>['data']>['perks'] }) {
  const event = useEvent();
  const types = useTicketTypes();
  const addons = useAddons();
  const venues = useVenues();
  const sessions = useSessions();
  const codes = useCommandRead<{ codes: CodeWithPerks[] }>(
    'perk.listCodes',
    { eventId: event.id },
    { isEnabled: usePermission('codes') },
  );
  const [added, setAdded] = useState<readonly CodeWithPerks[]>([]);
  const [pointedAt, setPointedAt] = useState<string | null>(null);
  const reads = [types, addons, venues, sessions, codes];
  const withPerks = codes.data?.codes ?? [];
  const maximumCodes = [
    ...withPerks,
    ...added.filter(({ id }) => !withPerks.some((each) => each.id === id)),
  ];
  const isSold = ({ status }: { status: string }) => status !== 'archived';
  const targets: Target[] = [
    ...(types.data?.ticketTypes ?? [])
      .filter(isSold)
      .map(({ id, name }) => ({ type: 'registration_type' as const, id, name })),
    ...(addons.data?.addons ?? [])
      .filter(isSold)
      .map(({ id, name }) => ({ type: 'addon' as const, id, name })),
    ...maximumCodes.map(({ id, code }) => ({ type: 'redemption_code' as const, id, name: code })),
  ];
  const rooms = venues.data?.venues ?? [];
  const talks = sessions.data?.sessions ?? [];
  const saved = doorsOf(rooms, talks);
  const delivery = useDeliveryMarks(perks, targets, deliveredBy(perks, maximumCodes));
  const gates = useGateMarks(perks, saved);
  const delivered = markedIn(targets, perks, delivery.isOn);
  const marks = markedIn(saved, perks, gates.isOn);
  const doors = doorsOf(withMarks(rooms, marks), withMarks(talks, marks));
  const failed = reads.find(({ error, data }) => error && !data);
  if (failed?.error) {
    const retry = () => reads.forEach((read) => void (read.error && read.refetch()));
    return <ErrorNote error={failed.error} onRetry={retry} />;
  }
  if (reads.some(({ isLoading }) => isLoading)) return <SkeletonRows />;
  return (
    <div className="flex flex-col gap-4">
      <Delivery
        perks={perks}
        targets={targets}
        delivered={delivered}
        cells={delivery}
        door={doors.find(({ id }) => id === pointedAt) ?? null}
        onAddCode={(code) => setAdded((before) => [...before, code])}
      />
      <Gates
        perks={perks}
        doors={doors}
        targets={targets}
        delivered={delivered}
        cells={gates}
        onPoint={setPointedAt}
      />
    </div>
  );
}
