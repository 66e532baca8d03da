import { Ban, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import { useList } from '../../api/queries.ts';
import type { RedemptionCode } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import type { Column } from '../../components/list/column.ts';
import { ExportButton } from '../../components/list/export-button.tsx';
import { FilterChip } from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { now } from '../../format/clock.ts';
import { formatMoney } from '../../format/money.ts';
import { codesText as text } from '../../text/codes.ts';
import { common } from '../../text/common.ts';
import { statusText } from '../../text/status.ts';
import { BatchDialog } from './batch-dialog.tsx';

const statuses = (['active', 'disabled'] as const).map((value) => ({
  value,
  label: statusText.code[value],
}));

function statusOf({ status, expiresAt, uses, maxUses }: RedemptionCode): string {
  if (status === 'disabled') return 'disabled';
  if (expiresAt !== null && Date.parse(expiresAt) <= now().getTime()) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used' : 'active';
}

/** The redemption codes of the event. */
export function CodesPage() {
  const event = useEvent();
  const path = `${useEventPath()}/redemption-codes`;
  const mayWrite = usePermission('codes');
  const [search, setSearch] = useSearchState();
  const list = useList<RedemptionCode>('redemptionCodes', path, { status: search.status });
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const [isCreating, setCreating] = useState(false);
  const [disabled, setDisabled] = useState<RedemptionCode | null>(null);
  const names = new Map(types.map(({ id, name }) => [id, name]));
  const create = mayWrite && (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={
          <>
            <ExportButton<RedemptionCode>
              listKey="redemptionCodes"
              path={path}
              query={{ status: search.status }}
              fileName={`codes-${event.publicId}.csv`}
              columns={codeColumns}
            />
            {create}
          </>
        }
      />
      <div className="mb-3">
        <FilterChip
          label={common.status}
          value={search.status}
          choices={statuses}
          onChange={(status) => setSearch({ status, pages: undefined })}
        />
      </div>
      <Section isFlush>
        <RecordTable
          label={text.title}
          list={list}
          columns={columnsOf(names, event.currency, mayWrite ? setDisabled : null)}
          rowId={({ id }) => id}
          rowName={({ code }) => code}
          empty={
            search.status ? (
              <Empty title={text.emptyFiltered} />
            ) : (
              <Empty title={text.empty} action={create}>
                {text.emptyText}
              </Empty>
            )
          }
        />
      </Section>
      {isCreating && <BatchDialog types={types} onClose={() => setCreating(false)} />}
      {disabled && <DisableDialog code={disabled} onClose={() => setDisabled(null)} />}
    </>
  );
}

export const codeColumns = [
  { header: 'code', value: ({ code }: RedemptionCode) => code },
  { header: 'label', value: ({ label }: RedemptionCode) => label },
  { header: 'status', value: ({ status }: RedemptionCode) => status },
  { header: 'uses', value: ({ uses }: RedemptionCode) => uses },
  { header: 'max_uses', value: ({ maxUses }: RedemptionCode) => maxUses },
  { header: 'expires_at', value: ({ expiresAt }: RedemptionCode) => expiresAt },
];

function columnsOf(
  names: ReadonlyMap<string, string>,
  currency: string,
  onDisable: ((code: RedemptionCode) => void) | null,
): Column<RedemptionCode>[] {
  const words = text.columns;
  return [
    {
      id: 'code',
      header: words.code,
      cell: ({ code }) => <CopyText text={code} label={common.copy(words.code.toLowerCase())} />,
    },
    {
      id: 'ticket',
      header: words.ticket,
      cell: ({ registrationTypeId }) => names.get(registrationTypeId) ?? registrationTypeId,
    },
    {
      id: 'discount',
      header: words.discount,
      isNumber: true,
      cell: ({ discount }) => {
        if (discount === null) return common.noValue;
        const { type, value } = discount;
        return type === 'percent' ? text.percentOff(value) : formatMoney(value, currency);
      },
    },
    { id: 'uses', header: words.uses, cell: (code) => <Uses code={code} /> },
    {
      id: 'status',
      header: words.status,
      cell: (code) => <StatusBadge kind="code" status={statusOf(code)} />,
    },
    { id: 'label', header: words.label, cell: ({ label }) => label ?? common.noValue },
    {
      id: 'expires',
      header: words.expires,
      cell: ({ expiresAt }) => <Instant at={expiresAt} style="day" />,
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      cell: (code) =>
        onDisable &&
        code.status === 'active' && (
          <ActionMenu
            label={`${common.moreActions}: ${code.code}`}
            actions={[
              { label: text.disable, icon: Ban, isDanger: true, onSelect: () => onDisable(code) },
            ]}
          />
        ),
    },
  ];
}

function Uses({ code: { uses, maxUses } }: { code: RedemptionCode }) {
  return (
    <span className="inline-flex min-w-24 items-center gap-2">
      <span className="whitespace-nowrap">
        {uses} / {maxUses ?? common.unlimited}
      </span>
      {maxUses !== null && (
        <StackedBar
          total={maxUses}
          parts={[{ label: text.columns.uses, value: uses, color: 'bg-accent' }]}
        />
      )}
    </span>
  );
}

function DisableDialog({ code, onClose }: { code: RedemptionCode; onClose: () => void }) {
  const path = useEventPath();
  const toast = useToast();
  const action = useAction(() => {
    toast(text.disabled(code.code));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.disableTitle(code.code)}
      consequence={text.disableText}
      confirmLabel={text.disableConfirm(code.code)}
      onConfirm={() =>
        void action.run({ method: 'POST', path: `${path}/redemption-codes/${code.id}/disable` })
      }
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
