import { ArrowRightLeft, Ban, Check, IdCard, Pencil, Ticket, UserCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../../api/actions.ts';
import { isActive } from '../../../api/active-status.ts';
import { useScopePath } from '../../../api/api.queries.ts';
import { useTicketTypes } from '../../../api/event-data.ts';
import type { Registration } from '../../../api/records.ts';
import { useMayReadEmails, usePermission } from '../../../api/unit.ts';
import { StatusBadge } from '../../../components/ui/badge.tsx';
import { Button, FileLink } from '../../../components/ui/button.tsx';
import { ActionMenu, type MenuAction } from '../../../components/ui/menu.tsx';
import { ErrorNote } from '../../../components/ui/states.tsx';
import { PageHeader } from '../../../components/ui/surface.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { personText } from '../../../text/person.ts';
import { registrationsText as text } from '../../../text/registrations.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangedNote } from './changed-note.tsx';
import { ConfirmDialog, RejectDialog } from './decide-dialogs.tsx';
import { EditDialog, TransferDialog } from './edit-dialogs.tsx';
import { decidedOn } from './person.rules.ts';
import { TicketDialog } from './ticket-dialog.tsx';
import { useOnSeen } from './use-person-update.ts';

type Job = 'edit' | 'transfer' | 'ticket' | 'confirm' | 'reject' | 'cancel';
type MenuJob = Omit<MenuAction, 'onSelect'> & { job: Job };

/** Who the person is, and what can be done. A role sees only what it may do. */
export function PersonHeader({ person, path }: { person: Registration; path: string }) {
  const [job, setJob] = useState<Job | null>(null);
  const mayReadEmails = useMayReadEmails();
  const name = person.name ?? (mayReadEmails ? person.email : text.unnamed);
  const dialog = { person, name, path, onClose: () => setJob(null) };
  return (
    <>
      <Title person={person} name={name} path={path} onStart={setJob} />
      {job === 'edit' && <EditDialog {...dialog} />}
      {job === 'transfer' && <TransferDialog {...dialog} />}
      {job === 'ticket' && <TicketDialog {...dialog} />}
      {job === 'confirm' && <ConfirmDialog {...dialog} />}
      {job === 'reject' && <RejectDialog {...dialog} />}
      {job === 'cancel' && <CancelDialog {...dialog} />}
    </>
  );
}

function Title({
  person,
  name,
  path,
  onStart,
}: {
  person: Registration;
  name: string;
  path: string;
  onStart: (job: Job) => void;
}) {
  const mayEdit = usePermission('people.write');
  const mayPrint = usePermission('badges');
  const scope = useScopePath();
  const toast = useToast();
  const { changes, write } = useOnSeen(person, path);
  const approval = useRun(async () => {
    const body = { expected: decidedOn(person) };
    await write(() => ({ method: 'POST', path: `${path}/approve`, body }), person);
    toast(text.actions.approve);
  });
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const { status } = person;
  const isPending = status === 'pending';
  const isOpen = mayEdit && isActive(status);
  const menu: readonly (MenuJob | false)[] = [
    isOpen && types.length > 0 && { label: personText.changeTicket, icon: Ticket, job: 'ticket' },
    isOpen && { label: personText.transfer, icon: ArrowRightLeft, job: 'transfer' },
    isOpen &&
      isPending && { label: personText.confirmWithoutPayment, icon: UserCheck, job: 'confirm' },
    isOpen && isPending && { label: text.actions.reject, icon: Ban, job: 'reject', isDanger: true },
    isOpen && { label: text.actions.cancel, icon: UserX, job: 'cancel', isDanger: true },
  ];
  return (
    <>
      <PageHeader
        title={name}
        badge={<StatusBadge kind="registration" status={status} />}
        actions={
          <>
            {isOpen && isPending && (
              <Button
                kind="primary"
                icon={Check}
                isBusy={approval.isRunning}
                onClick={() => void approval.run()}
              >
                {text.actions.approve}
              </Button>
            )}
            {isOpen && status === 'waitlisted' && (
              <Button kind="primary" icon={Check} onClick={() => onStart('confirm')}>
                {personText.confirm}
              </Button>
            )}
            {mayPrint && status === 'confirmed' && (
              <FileLink href={`${scope}/${path}/badge?format=pdf`} icon={IdCard}>
                {text.badgeFile}
              </FileLink>
            )}
            {isOpen && (
              <Button icon={Pencil} onClick={() => onStart('edit')}>
                {personText.edit}
              </Button>
            )}
            <ActionMenu
              actions={menu.map((action) =>
                action ? { ...action, onSelect: () => onStart(action.job) } : null,
              )}
            />
          </>
        }
      />
      {approval.error && (
        <div className="flex flex-col gap-2">
          <ErrorNote error={approval.error} />
          <ChangedNote changes={changes} isDecision />
        </div>
      )}
    </>
  );
}
