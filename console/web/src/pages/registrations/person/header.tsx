import { ArrowRightLeft, Ban, Check, IdCard, Pencil, Ticket, UserCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
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
import { ConfirmDialog, RejectDialog } from './decide-dialogs.tsx';
import { EditDialog, TransferDialog } from './edit-dialogs.tsx';
import { TicketDialog } from './ticket-dialog.tsx';

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
      {job === 'confirm' && <ConfirmDialog {...dialog} id={person.id} />}
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
  const approval = useAction(() => toast(text.actions.approve));
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
                onClick={() => void approval.run({ method: 'POST', path: `${path}/approve` })}
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
      {approval.error && <ErrorNote error={approval.error} />}
    </>
  );
}
