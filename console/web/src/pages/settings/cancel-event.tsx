import type { CancellationPreview } from '@event-api/contracts/operator/event-cancellation';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import type { PairedDevice } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { Choice } from '../../components/ledger/choice.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { formatMoney } from '../../format/money.ts';
import { cancellationText as text } from '../../text/event-cancellation.ts';

type Refund = keyof typeof text.refunds;

const refunds = Object.keys(text.refunds) as Refund[];

/** Cancels the event, after a preview. */
export function CancelEvent() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={text.title} description={text.text}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {text.action}
      </Button>
      {isOpen && <CancelEventDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function CancelEventDialog({ onClose }: { onClose: () => void }) {
  const event = useEvent();
  const toast = useToast();
  const [refund, setRefund] = useState<Refund>('full');
  const [reason, setReason] = useState('');
  const { data, error, isPlaceholderData, refetch } = useCommandRead<CancellationPreview>(
    'event.previewCancel',
    { eventId: event.id, refund },
  );
  // That of another choice has other amounts.
  const preview = isPlaceholderData ? undefined : data;
  const action = useAction(() => {
    toast(text.done);
    onClose();
  });
  const cancel = () => {
    if (!preview) return;
    const { expectedVersion } = preview;
    const input = { eventId: event.id, refund, expectedVersion, reason: reason.trim() || null };
    void action.run({ command: 'event.cancel', input });
  };
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.dialogTitle(event.name)}
      consequence={text.consequence(
        data ? peopleOf(data) : 0,
        data?.registrations.reservedSeats ?? 0,
      )}
      confirmLabel={text.confirm(event.name)}
      closeLabel={text.keep}
      onConfirm={cancel}
      isRunning={action.isRunning}
      isReady={preview !== undefined}
      error={action.error}
      typedName={event.name}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">{text.refund}</legend>
        {refunds.map((each) => (
          <Choice
            key={each}
            id={each}
            label={text.refunds[each]}
            help={text.refundHelp[each]}
            chosen={refund}
            onChoose={(id) => setRefund(id as Refund)}
          />
        ))}
      </fieldset>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {preview ? <Concerned preview={preview} /> : !error && <SkeletonRows count={3} />}
      <label className="flex flex-col gap-1">
        <span className="font-medium">{text.reason}</span>
        <input
          className="control"
          maxLength={200}
          value={reason}
          onChange={(change) => setReason(change.target.value)}
        />
        <span className="text-muted">{text.reasonHelp}</span>
      </label>
    </DangerDialog>
  );
}

const peopleOf = ({ registrations }: CancellationPreview): number =>
  registrations.confirmed + registrations.pending + registrations.waitlisted;

/** Whom and what the cancellation concerns. */
function Concerned({ preview }: { preview: CancellationPreview }) {
  const { eventId, registrations, orders, refunds: amounts } = preview;
  const devices = useCommandRead<{ devices: PairedDevice[] }>(
    'device.list',
    { eventId },
    { isEnabled: usePermission('devices') },
  );
  const paired = devices.data?.devices.filter(({ state }) => state === 'paired').length;
  const paidBack = amounts.map(({ amount, currency, orders: count }) =>
    text.amount(formatMoney(amount, currency), count),
  );
  return (
    <section aria-label={text.concerns} aria-live="polite">
      <Facts
        items={[
          [text.registrations, listed(registrations)],
          [text.orders, listed(orders)],
          paired === undefined ? null : [text.devices, text.pairedDevices(paired)],
          [text.money, paidBack.join(', ') || text.nothing],
        ]}
      />
    </section>
  );
}

/** What there is of each kind, in words. */
function listed<Kind extends keyof typeof text.states>(
  counts: Readonly<Record<Kind, number>>,
): string {
  const present = (Object.keys(counts) as Kind[]).filter((kind) => counts[kind] > 0);
  return present.map((kind) => text.states[kind](counts[kind])).join(', ') || text.nothing;
}
