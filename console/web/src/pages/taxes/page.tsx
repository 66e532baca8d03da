import { Landmark, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import type { TaxRate } from '../../api/records.ts';
import { usePermission } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { taxesText as text } from '../../text/taxes.ts';
import { CreateDialog } from './create-dialog.tsx';

/** The tax rates of the business unit. */
export function TaxesPage() {
  const query = useCommandRead<{ taxRates: TaxRate[] }>('taxRate.list', {});
  const mayWrite = usePermission('policy');
  const [isCreating, setCreating] = useState(false);
  const [archived, setArchived] = useState<TaxRate | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const create = mayWrite && (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  const rates = query.data?.taxRates.toReversed() ?? [];
  return (
    <>
      <PageHeader title={text.title} description={text.description} actions={create} />
      <Section isFlush>
        {query.isPending && <SkeletonRows count={3} />}
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && rates.length === 0 && (
          <Empty guide="tax" icon={Landmark} title={text.empty} action={create}>
            {text.emptyText}
          </Empty>
        )}
        {rates.length > 0 && (
          <Rows
            label={text.title}
            columns={columnsOf(mayWrite ? setArchived : null)}
            rows={rates}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
          />
        )}
      </Section>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {archived && <ArchiveDialog rate={archived} onClose={() => setArchived(null)} />}
    </>
  );
}

const columnsOf = (onArchive: ((rate: TaxRate) => void) | null): Column<TaxRate>[] => {
  const words = text.columns;
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'percentage',
      header: words.percentage,
      isNumber: true,
      cell: ({ percentage }) => text.percent(percentage),
    },
    { id: 'mode', header: words.mode, cell: ({ mode }) => text.modes[mode] },
    {
      id: 'created',
      header: words.created,
      cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      card: 'end',
      cell: (rate) =>
        rate.archivedAt !== null ? (
          <span className="text-muted">
            {text.archivedAt} <Instant at={rate.archivedAt} style="day" />
          </span>
        ) : (
          onArchive && (
            <Button aria-label={text.archiveConfirm(rate.name)} onClick={() => onArchive(rate)}>
              {text.archive}
            </Button>
          )
        ),
    },
  ];
};

function ArchiveDialog({ rate, onClose }: { rate: TaxRate; onClose: () => void }) {
  const toast = useToast();
  const action = useAction<TaxRate>(({ name }) => {
    toast(text.archived(name));
    onClose();
  });
  const input = { taxRateId: rate.id };
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.archiveTitle(rate.name)}
      consequence={text.archiveText}
      confirmLabel={text.archiveConfirm(rate.name)}
      onConfirm={() => void action.run({ command: 'taxRate.archive', input })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
