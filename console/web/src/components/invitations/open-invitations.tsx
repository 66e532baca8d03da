import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import type { Invitation } from '../../api/records.ts';
import { common } from '../../text/common.ts';
import { roleText, teamText as text } from '../../text/team.ts';
import type { Column } from '../list/column.ts';
import { Cards, Table } from '../list/table.tsx';
import { Button } from '../ui/button.tsx';
import { DangerDialog } from '../ui/danger-dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../ui/states.tsx';
import { Section } from '../ui/surface.tsx';
import { useToast } from '../ui/toast.tsx';
import { useIsPhone } from '../ui/use-media.ts';

const nameOf = ({ email }: Invitation): string => email ?? text.anybody;

/**
 * The links that were not accepted yet. Their secrets are stored nowhere. `revokeCommand` revokes
 * one; without `hasRoles`, all of them make an administrator of the platform.
 */
export function OpenInvitations({
  read,
  revokeCommand,
  hasRoles = false,
}: {
  read: Pick<
    UseQueryResult<{ invitations: Invitation[] }>,
    'data' | 'isPending' | 'error' | 'refetch'
  >;
  revokeCommand: string;
  hasRoles?: boolean;
}) {
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const invitations = read.data?.invitations ?? [];
  return (
    <Section title={text.invitations} isFlush>
      {read.isPending && <SkeletonRows count={2} />}
      {read.error && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && invitations.length === 0 && (
        <Empty isPart title={text.noInvitations}>
          {text.noInvitationsText}
        </Empty>
      )}
      {invitations.length > 0 && (
        <Rows
          label={text.invitations}
          columns={columnsOf(setRevoked).filter(({ id }) => hasRoles || id !== 'role')}
          rows={invitations}
          rowId={({ id }) => id}
          rowName={nameOf}
        />
      )}
      {revoked && (
        <RevokeDialog
          invitation={revoked}
          command={revokeCommand}
          onClose={() => setRevoked(null)}
        />
      )}
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
      card: 'end',
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

function RevokeDialog({
  invitation,
  command,
  onClose,
}: {
  invitation: Invitation;
  command: string;
  onClose: () => void;
}) {
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
      onConfirm={() => void action.run({ command, input: { id } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
