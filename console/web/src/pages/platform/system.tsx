import { CircleCheck, Hourglass, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import { partOfProcess } from '../../api/parts.ts';
import type { PlatformPart, Reconciliation } from '../../api/records.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { errorText } from '../../text/errors.ts';
import { platformText as text } from '../../text/platform.ts';

/** The health of the platform, and the work that an administrator starts by hand. */
export function SystemPage() {
  return (
    <>
      <PageHeader title={text.system} description={text.systemText} />
      <div className="flex flex-col gap-4">
        <Parts />
        <ReconciliationSection />
      </div>
    </>
  );
}

const refetchMs = 5000;
const withProjections = ['catalog', 'registration', 'commerce', 'onsite'];

function Parts() {
  const query = useRead<{ parts: PlatformPart[] }>('parts', {}, { refetchMs });
  const [rebuilt, setRebuilt] = useState<string | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  return (
    <Section title={text.parts} description={text.partsText} isFlush>
      {query.isPending && <SkeletonRows count={7} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <Rows
          label={text.parts}
          columns={columnsOf(setRebuilt)}
          rows={query.data.parts}
          rowId={({ name }) => name}
          rowName={({ name }) => name}
        />
      )}
      {rebuilt && <ResyncDialog service={rebuilt} onClose={() => setRebuilt(null)} />}
    </Section>
  );
}

const servesOf = ({ name }: PlatformPart): string =>
  name === 'gateway' ? text.gateway : errorText.parts[partOfProcess(name)];

const columnsOf = (onResync: (service: string) => void): Column<PlatformPart>[] => [
  { id: 'name', header: text.partColumns.name, cell: ({ name }) => name },
  { id: 'serves', header: text.partColumns.serves, card: 'line', cell: servesOf },
  {
    id: 'status',
    header: text.partColumns.status,
    card: 'corner',
    cell: ({ isReady, missing }) =>
      isReady && missing.includes('nats') ? (
        <Badge tone="amber" icon={Hourglass}>
          {text.isDelayed}
        </Badge>
      ) : isReady ? (
        <Badge tone="green" icon={CircleCheck}>
          {text.ready}
        </Badge>
      ) : (
        <Badge tone="red" icon={TriangleAlert}>
          {text.away}
        </Badge>
      ),
  },
  {
    id: 'actions',
    header: text.partColumns.actions,
    isNumber: true,
    card: 'end',
    cell: ({ name }) =>
      withProjections.includes(name) && (
        <Button aria-label={text.resyncOf(name)} onClick={() => onResync(name)}>
          {text.resync}
        </Button>
      ),
  },
];

function ResyncDialog({ service, onClose }: { service: string; onClose: () => void }) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.resynced(service));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.resyncTitle(service)}
      consequence={text.resyncText}
      confirmLabel={text.resyncOf(service)}
      onConfirm={() => void action.run({ command: 'projection.resync', input: { service } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}

function ReconciliationSection() {
  const [last, setLast] = useState<Reconciliation | null>(null);
  const action = useAction<Reconciliation>(setLast);
  return (
    <Section
      title={text.reconcile}
      description={text.reconcileText}
      actions={
        <Button
          isBusy={action.isRunning}
          onClick={() => void action.run({ command: 'commerce.reconcile', input: {} })}
        >
          {text.reconcileButton}
        </Button>
      }
    >
      {action.error && <ErrorNote error={action.error} />}
      {last && <Report report={last} />}
    </Section>
  );
}

const amountsOf = (amounts: Record<string, number>): string =>
  Object.entries(amounts)
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(', ') || text.nothing;

const Report = ({ report }: { report: Reconciliation }) => (
  <section aria-label={text.reconciled}>
    <Facts
      items={[
        [text.repeated, formatCount(report.repeated)],
        [text.failed, formatCount(report.failed.length)],
        [text.unmatched, formatCount(report.unmatched.length)],
        [text.unbalanced, report.unbalanced.join(', ') || text.nothing],
        [text.refundsDue, amountsOf(report.refundsDue)],
      ]}
    />
  </section>
);
