import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useCommandRead } from '../../api/api.queries.ts';
import type { Invitation, Member } from '../../api/records.ts';
import { useSession } from '../../api/session.ts';
import { OpenInvitations } from '../../components/invitations/open-invitations.tsx';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Email } from '../../components/ui/email.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { common } from '../../text/common.ts';
import { roleText, teamText as text } from '../../text/team.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { RemoveDialog, RoleDialog } from './member-dialogs.tsx';

/** The people of the business unit, and the invitations that were not accepted yet. */
export function TeamPage() {
  const invitations = useCommandRead<{ invitations: Invitation[] }>('invitation.list', {});
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={
          <Button kind="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            {text.invite}
          </Button>
        }
      />
      <div className="flex flex-col gap-4">
        <Members />
        <OpenInvitations read={invitations} revokeCommand="invitation.revoke" hasRoles />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function Members() {
  const query = useCommandRead<{ members: Member[] }>('member.list', {});
  const self = useSession().data?.operator.id;
  const [changed, setChanged] = useState<Member | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const columns: Column<Member>[] = [
    {
      id: 'name',
      header: text.columns.name,
      cell: ({ name, operatorId }) => (operatorId === self ? `${name} (${text.you})` : name),
    },
    {
      id: 'email',
      header: text.columns.email,
      card: 'line',
      cell: ({ email }) => (email === null ? common.noValue : <Email address={email} />),
    },
    { id: 'role', header: text.columns.role, cell: ({ role }) => roleText[role].label },
    {
      id: 'joined',
      header: text.columns.joined,
      cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
    },
    {
      id: 'actions',
      header: text.columns.actions,
      isNumber: true,
      card: 'corner',
      cell: (member) => (
        <ActionMenu
          label={text.actionsOf(member.name)}
          actions={[
            { label: text.changeRole, onSelect: () => setChanged(member) },
            { label: text.remove, isDanger: true, onSelect: () => setRemoved(member) },
          ]}
        />
      ),
    },
  ];
  return (
    <Section title={text.members} isFlush>
      {query.isPending && <SkeletonRows count={3} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <Rows
          label={text.members}
          columns={columns}
          rows={query.data.members}
          rowId={({ operatorId }) => operatorId}
          rowName={({ name }) => name}
        />
      )}
      {changed && <RoleDialog member={changed} onClose={() => setChanged(null)} />}
      {removed && <RemoveDialog member={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}
