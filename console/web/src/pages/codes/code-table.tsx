import { Ban, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/actions.ts';
import type { RecordList } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { Event, RedemptionCode, TicketType } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import type { Column } from '../../components/list/column.ts';
import { type CsvColumn, timeColumn } from '../../components/list/csv-columns.ts';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { now } from '../../format/clock.ts';
import { formatMoney, moneyInput } from '../../format/money.ts';
import { codesText as text } from '../../text/codes.ts';
import { common } from '../../text/common.ts';
import { fileText as files } from '../../text/files.ts';
import { statusText } from '../../text/status.ts';
import { EditDialog } from './edit-dialog.tsx';

function statusOf({ status, expiresAt, uses, maxUses }: RedemptionCode): string {
  if (status === 'disabled') return 'disabled';
  if (expiresAt !== null && Date.parse(expiresAt) <= now().getTime()) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used' : 'active';
}

/** Redemption codes, each with the actions that change it and that disable it. */
export function CodeTable({ list, empty }: { list: RecordList<RedemptionCode>; empty: ReactNode }) {
  const { currency } = useEvent();
  const mayWrite = usePermission('codes');
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const [disabled, setDisabled] = useState<RedemptionCode | null>(null);
  const [edited, setEdited] = useState<RedemptionCode | null>(null);
  const names = new Map(types.map(({ id, name }) => [id, name]));
  return (
    <>
      <Section isFlush>
        <RecordTable
          label={text.title}
          list={list}
          columns={columnsOf(
            names,
            currency,
            mayWrite ? { onEdit: setEdited, onDisable: setDisabled } : null,
          )}
          rowId={({ id }) => id}
          rowName={({ code }) => code}
          empty={empty}
        />
      </Section>
      {edited && <EditDialog code={edited} onClose={() => setEdited(null)} />}
      {disabled && <DisableDialog code={disabled} onClose={() => setDisabled(null)} />}
    </>
  );
}

/** The columns of a file with codes. A discount is a percentage or an amount of the currency. */
export const codeColumns = (
  { currency, timezone }: Event,
  types: readonly TicketType[],
): CsvColumn<RedemptionCode>[] => {
  const names = new Map(types.map(({ id, name }) => [id, name]));
  const amountOf = ({ discount }: RedemptionCode) =>
    discount?.type === 'amount' ? moneyInput(discount.value, currency) : discount?.value;
  return [
    { header: files.code, value: ({ code }) => code },
    { header: files.label, value: ({ label }) => label },
    {
      header: files.ticket,
      value: ({ registrationTypeId: id }) => names.get(id) ?? id,
    },
    {
      header: files.status,
      value: (code) => (statusText.code as Record<string, string>)[statusOf(code)],
    },
    { header: files.discount, value: amountOf },
    {
      header: files.discountIn,
      value: ({ discount }) => discount && (discount.type === 'percent' ? files.percent : currency),
    },
    { header: files.uses, value: ({ uses }) => uses },
    { header: files.mostUses, value: ({ maxUses }) => maxUses },
    timeColumn(files.expires, timezone, ({ expiresAt }) => expiresAt),
  ];
};

function columnsOf(
  names: ReadonlyMap<string, string>,
  currency: string,
  actions: Record<'onEdit' | 'onDisable', (code: RedemptionCode) => void> | null,
): Column<RedemptionCode>[] {
  const words = text.columns;
  return [
    {
      id: 'code',
      header: words.code,
      cell: ({ code }) => (
        <CopyText
          text={code}
          label={common.copy(words.code.toLowerCase())}
          className="max-md:-ml-1"
        />
      ),
    },
    {
      id: 'ticket',
      header: words.ticket,
      card: 'line',
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
      card: 'corner',
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
      card: 'corner',
      cell: (code) =>
        actions &&
        code.status === 'active' && (
          <ActionMenu
            label={`${common.moreActions}: ${code.code}`}
            actions={[
              { label: common.edit, icon: Pencil, onSelect: () => actions.onEdit(code) },
              {
                label: text.disable,
                icon: Ban,
                isDanger: true,
                onSelect: () => actions.onDisable(code),
              },
            ]}
          />
        ),
    },
  ];
}

export function Uses({
  code: { uses, maxUses },
}: {
  code: { uses: number; maxUses: number | null };
}) {
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
