import { Ticket, UserX } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Write } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Registration, TicketType } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { BulkBar } from '../../components/list/bulk-bar.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { registrationListText } from '../../text/registration-list.ts';
import { type BulkAction, planBulk } from './bulk.rules.ts';
import { BulkProgress, ConfirmBulk } from './bulk-dialogs.tsx';
import { PrintSelected } from './print-badges.tsx';
import { type JobResult, useBulkRun } from './use-bulk-run.ts';

const text = registrationListText.bulk;

/**
 * What can be done to the selected people. Each action says before what follows for how many, shows
 * its progress, and afterwards who could not be changed and why.
 */
export function BulkActions({
  selected,
  types,
  selectAll,
  exportSelected,
  onClear,
}: {
  selected: readonly Registration[];
  types: readonly TicketType[];
  /** Extends the selection to people who are not loaded. */
  selectAll: ReactNode;
  exportSelected: ReactNode;
  onClear: () => void;
}) {
  const mayDecide = usePermission('people.write');
  const mayPrint = usePermission('badges');
  const [action, setAction] = useState<BulkAction | null>(null);
  const [ticketId, setTicketId] = useState<string | null>(null);
  const writeOf = useWrites();
  const { current, run, stop, close } = useBulkRun();
  const canUndo = useRef(false);

  const countOf = (of: BulkAction) => planBulk(of, selected, types).affected.length;
  const plan = action && planBulk(action, selected, types, ticketId);
  const start = () => {
    if (!action || !plan) return;
    canUndo.current = action === 'changeTicket';
    const jobs = plan.affected.map((person) => ({
      person,
      write: writeOf[action](person, ticketId),
    }));
    setAction(null);
    void run(jobs);
  };
  const undo = (results: readonly JobResult[]) => {
    canUndo.current = false;
    const changed = results.flatMap(({ person, changed: now }) => (now ? [{ person, now }] : []));
    void run(
      changed.map(({ person, now }) => ({
        person: now,
        write: writeOf.changeTicket(now, person.registrationTypeId),
      })),
    );
  };
  const open = (next: BulkAction) => {
    setTicketId(null);
    setAction(next);
  };
  const confirmed = selected.filter(({ status }) => status === 'confirmed');
  const buttonOf = (of: 'approve' | 'confirm' | 'reject') =>
    countOf(of) > 0 && (
      <Button kind={of === 'reject' ? 'danger' : 'primary'} onClick={() => open(of)}>
        {text.bar[of](countOf(of))}
      </Button>
    );
  return (
    <>
      <BulkBar count={selected.length} onClear={onClear}>
        {selectAll}
        {mayDecide && (
          <>
            {buttonOf('approve')}
            {buttonOf('confirm')}
            {buttonOf('reject')}
          </>
        )}
        {mayPrint && confirmed.length > 0 && (
          <PrintSelected registrationIds={confirmed.map(({ id }) => id)} />
        )}
        {exportSelected}
        {mayDecide && (
          <ActionMenu
            actions={[
              countOf('changeTicket') > 0 && {
                label: text.bar.changeTicket(countOf('changeTicket')),
                icon: Ticket,
                onSelect: () => open('changeTicket'),
              },
              countOf('cancel') > 0 && {
                label: text.bar.cancel(countOf('cancel')),
                icon: UserX,
                isDanger: true,
                onSelect: () => open('cancel'),
              },
            ]}
          />
        )}
      </BulkBar>
      {action && plan && (
        <ConfirmBulk
          action={action}
          plan={plan}
          selected={selected.length}
          {...(action === 'changeTicket' && {
            ticket: {
              types: types.filter(({ status }) => status !== 'archived'),
              value: ticketId,
              onChange: setTicketId,
            },
          })}
          onClose={() => setAction(null)}
          onConfirm={start}
        />
      )}
      {current && (
        <BulkProgress
          run={current}
          onStop={stop}
          onUndo={
            canUndo.current && current.results.some(({ changed }) => changed)
              ? () => undo(current.results)
              : undefined
          }
          onClose={() => {
            close();
            onClear();
          }}
        />
      )}
    </>
  );
}

/** The write of each action for one person. */
function useWrites(): Record<BulkAction, (person: Registration, ticketId: string | null) => Write> {
  const event = useEvent();
  const path = useEventPath();
  const decide =
    (verb: 'approve' | 'reject' | 'cancel') =>
    ({ id }: Registration): Write => ({
      method: 'POST',
      path: `${path}/registrations/${id}/${verb}`,
    });
  return {
    approve: decide('approve'),
    reject: decide('reject'),
    cancel: decide('cancel'),
    confirm: ({ id: registrationId }) => ({
      command: 'registration.confirm',
      input: { eventId: event.id, registrationId },
    }),
    changeTicket: ({ id }, registrationTypeId) => ({
      method: 'PATCH',
      path: `${path}/registrations/${id}`,
      body: { registrationTypeId },
    }),
  };
}
