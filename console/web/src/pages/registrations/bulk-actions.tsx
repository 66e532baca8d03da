import { Ticket, UserX } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Write } from '../../api/actions.ts';
import { useBulkRun } from '../../api/bulk-run.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Registration, TicketType } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { BulkBar } from '../../components/list/bulk-bar.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { registrationListText } from '../../text/registration-list.ts';
import { type BulkAction, planBulk } from './bulk.rules.ts';
import { BulkProgress, ConfirmBulk, type PeopleRun } from './bulk-dialogs.tsx';
import { decidedOn, detailsOf } from './person/person.rules.ts';
import { PrintSelected } from './print-badges.tsx';

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
  // The people as they were when the question was shown: a later change of theirs is found out.
  const [confirming, setConfirming] = useState<{
    action: BulkAction;
    people: typeof selected;
  } | null>(null);
  const [ticketId, setTicketId] = useState<string | null>(null);
  const writeOf = useWrites();
  const { current, run, stop, close } = useBulkRun<Registration, Registration>();
  const canUndo = useRef(false);

  const countOf = (of: BulkAction) => planBulk(of, selected, types).affected.length;
  const plan = confirming && planBulk(confirming.action, confirming.people, types, ticketId);
  const start = () => {
    if (!confirming || !plan) return;
    const { action } = confirming;
    canUndo.current = action === 'changeTicket';
    const jobs = plan.affected.map((person) => ({
      subject: person,
      write: writeOf[action](person, ticketId),
    }));
    setConfirming(null);
    void run(jobs);
  };
  const undo = (results: PeopleRun['results']) => {
    canUndo.current = false;
    const changed = results.flatMap(({ subject, changed: now }) =>
      now ? [{ before: subject, now }] : [],
    );
    void run(
      changed.map(({ before, now }) => ({
        subject: now,
        write: writeOf.changeTicket(now, before.registrationTypeId),
      })),
    );
  };
  const open = (action: BulkAction) => {
    setTicketId(null);
    setConfirming({ action, people: selected });
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
      {confirming && plan && (
        <ConfirmBulk
          action={confirming.action}
          plan={plan}
          selected={confirming.people.length}
          {...(confirming.action === 'changeTicket' && {
            ticket: {
              types: types.filter(({ status }) => status !== 'archived'),
              value: ticketId,
              onChange: setTicketId,
            },
          })}
          onClose={() => setConfirming(null)}
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

/** The write of each action for one person, as the list has shown them. */
function useWrites(): Record<BulkAction, (person: Registration, ticketId: string | null) => Write> {
  const event = useEvent();
  const path = useEventPath();
  const decide =
    (verb: 'approve' | 'reject' | 'cancel') =>
    (person: Registration): Write => ({
      method: 'POST',
      path: `${path}/registrations/${person.id}/${verb}`,
      body: { expected: decidedOn(person) },
    });
  return {
    approve: decide('approve'),
    reject: decide('reject'),
    cancel: decide('cancel'),
    confirm: (person) => ({
      command: 'registration.confirm',
      input: { eventId: event.id, registrationId: person.id, expected: decidedOn(person) },
    }),
    changeTicket: (person, registrationTypeId) => ({
      method: 'PATCH',
      path: `${path}/registrations/${person.id}`,
      body: { registrationTypeId, expected: detailsOf(person) },
    }),
  };
}
