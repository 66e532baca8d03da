import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import type { Administrator, Invitation } from '../../api/records.ts';
import { sessionKey, useSession } from '../../api/session.ts';
import { OpenInvitations } from '../../components/invitations/open-invitations.tsx';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Email } from '../../components/ui/email.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { common } from '../../text/common.ts';
import { platformText as text } from '../../text/platform.ts';
import { InviteDialog } from './invite-dialog.tsx';

/** The administrators of the platform, and the links that make one. */
export function AdministratorsPage() {
  const query = useCommandRead<{ administrators: Administrator[]; invitations: Invitation[] }>(
    'operator.listAdmins',
    {},
  );
  const self = useSession().data?.operator.id;
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<Administrator | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  return (
    <>
      <PageHeader
        title={text.administrators}
        description={text.administratorsText}
        actions={
          <Button kind="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            {text.inviteAdmin}
          </Button>
        }
      />
      <div className="flex flex-col gap-4">
        <Section title={text.administrators} isFlush>
          {query.isPending && <SkeletonRows count={2} />}
          {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
          {query.data && (
            <Rows
              label={text.administrators}
              columns={columnsOf(self, setRemoved)}
              rows={query.data.administrators}
              rowId={({ operatorId }) => operatorId}
              rowName={({ name }) => name}
            />
          )}
        </Section>
        <OpenInvitations read={query} revokeCommand="operator.revokeInvitation" />
      </div>
      {isInviting && (
        <InviteDialog invited={{ role: 'administrator' }} onClose={() => setInviting(false)} />
      )}
      {removed && (
        <RemoveDialog
          administrator={removed}
          isSelf={removed.operatorId === self}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  );
}

const columnsOf = (
  self: string | undefined,
  onRemove: (administrator: Administrator) => void,
): Column<Administrator>[] => {
  const words = text.adminColumns;
  return [
    {
      id: 'name',
      header: words.name,
      cell: ({ name, operatorId }) => (operatorId === self ? `${name} (${text.you})` : name),
    },
    {
      id: 'email',
      header: words.email,
      card: 'line',
      cell: ({ email }) => (email === null ? common.noValue : <Email address={email} />),
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      card: 'end',
      cell: (administrator) => (
        <Button
          aria-label={text.removeAdminConfirm(administrator.name)}
          onClick={() => onRemove(administrator)}
        >
          {text.removeAdmin}
        </Button>
      ),
    },
  ];
};

function RemoveDialog({
  administrator: { name, operatorId },
  isSelf,
  onClose,
}: {
  administrator: Administrator;
  isSelf: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const queries = useQueryClient();
  const action = useAction(() => {
    // Without the permission, the pages of the platform disappear.
    void queries.invalidateQueries({ queryKey: sessionKey });
    toast(text.removedAdmin(name));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.removeAdminTitle(name)}
      consequence={text.removeAdminText(isSelf)}
      confirmLabel={text.removeAdminConfirm(name)}
      onConfirm={() => void action.run({ command: 'operator.removeAdmin', input: { operatorId } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
