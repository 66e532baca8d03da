import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/queries.ts';
import type { Invitation } from '../../api/records.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { common } from '../../text/common.ts';
import { roleText, teamText as text } from '../../text/team.ts';

const nameOf = ({ email }: Invitation): string => email ?? text.anybody;

/** The links that were not accepted yet. Their secrets are nowhere. */
export function Invitations() {
  const query = useCommandRead<{ invitations: Invitation[] }>('invitation.list', {});
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const invitations = query.data?.invitations ?? [];
  return (
    <Section title={text.invitations} isFlush>
      {query.isPending && <SkeletonRows count={2} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && invitations.length === 0 && (
        <Empty title={text.noInvitations}>{text.noInvitationsText}</Empty>
      )}
      {invitations.length > 0 && (
        <Rows
          label={text.invitations}
          columns={columnsOf(setRevoked)}
          rows={invitations}
          rowId={({ id }) => id}
          rowName={nameOf}
        />
      )}
      {revoked && <RevokeDialog invitation={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}

const columnsOf = (onRevoke: (invitation: Invitation) => void): Column<Invitation>[] => {
  const words = text.invitationColumns;
  return [
    { id: 'email', header: words.email, cell: nameOf },
    {
      id: 'role',
      header: words.role,
      cell: ({ role }) => (role === null ? common.noValue : roleText[role].label),
    },
    {
      id: 'created',
      header: words.created,
      cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
    },
    { id: 'expires', header: words.expires, cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      cell: (invitation) => (
        <Button
          aria-label={text.revokeConfirm(nameOf(invitation))}
          onClick={() => onRevoke(invitation)}
        >
          {text.revoke}
        </Button>
      ),
    },
  ];
};

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.revoked);
    onClose();
  });
  const { id } = invitation;
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.revokeTitle}
      consequence={text.revokeText}
      confirmLabel={text.revokeConfirm(nameOf(invitation))}
      onConfirm={() => void action.run({ command: 'invitation.revoke', input: { id } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
