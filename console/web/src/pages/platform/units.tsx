import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import type { BusinessUnit } from '../../api/records.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { detailText } from '../../text/detail.ts';
import { platformText as text } from '../../text/platform.ts';
import { InviteDialog, type Invited } from './invite-dialog.tsx';

/** The business units of the platform, and the links for their first owners. */
export function UnitsPage() {
  const query = useCommandRead<{ units: BusinessUnit[] }>('unit.list', {});
  const [isCreating, setCreating] = useState(false);
  const [invited, setInvited] = useState<Invited | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const units = query.data?.units.toReversed() ?? [];
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.newUnit}
    </Button>
  );
  return (
    <>
      <PageHeader title={text.units} description={text.unitsText} actions={create} />
      <Section isFlush>
        {query.isPending && <SkeletonRows count={3} />}
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && units.length === 0 && (
          <Empty icon={Building2} title={text.noUnits} action={create}>
            {text.noUnitsText}
          </Empty>
        )}
        {units.length > 0 && (
          <Rows
            label={text.units}
            columns={columnsOf((unit) => setInvited({ role: 'owner', unit }))}
            rows={units}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
          />
        )}
      </Section>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {invited && <InviteDialog invited={invited} onClose={() => setInvited(null)} />}
    </>
  );
}

const columnsOf = (onInvite: (unit: BusinessUnit) => void): Column<BusinessUnit>[] => [
  { id: 'name', header: text.columns.name, cell: ({ name }) => name },
  {
    id: 'currency',
    header: text.columns.currency,
    cell: ({ defaultCurrency }) => defaultCurrency,
  },
  {
    id: 'created',
    header: text.columns.created,
    cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
  },
  {
    id: 'id',
    header: text.columns.id,
    cell: ({ id }) => <CopyText text={id} label={detailText.copyId} />,
  },
  {
    id: 'actions',
    header: text.columns.actions,
    isNumber: true,
    card: 'end',
    cell: (unit) => (
      <Button aria-label={text.inviteOwnerOf(unit.name)} onClick={() => onInvite(unit)}>
        {text.inviteOwner}
      </Button>
    ),
  },
];

function CreateDialog({ onClose }: { onClose: () => void }) {
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm<{ name: string; defaultCurrency: string }>(
    { name: '', defaultCurrency: 'EUR' },
    async ({ name, defaultCurrency }) => {
      const input = { name: name.trim(), defaultCurrency: defaultCurrency.trim().toUpperCase() };
      await send({ command: 'unit.create', input });
      toast(text.unitCreated(input.name));
      onClose();
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={text.newUnit}>
      <RecordForm form={form} submitLabel={text.createUnit} isInDialog>
        <TextField name="name" label={text.unitName} required maxLength={200} />
        <TextField
          name="defaultCurrency"
          label={text.currency}
          help={text.currencyHelp}
          required
          maxLength={3}
        />
      </RecordForm>
    </Dialog>
  );
}
