import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import { useZone } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { SecretDialog } from '../../components/ui/secret-dialog.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { formatInstant } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { keysText as text } from '../../text/keys.ts';
import { CreateDialog } from './create-dialog.tsx';
import { EditDialog, type EditedKey } from './edit-dialog.tsx';
import { UseOfKeys } from './use-of-keys.tsx';

interface ApiKey extends EditedKey {
  displayPrefix: string;
  rateLimitPerMinute: number | null;
  revokedAt: string | null;
  createdAt: string;
}

function statusOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now().getTime() ? 'expired' : 'active';
}

/** What a key permits, in words. */
const permitsOf = ({ groups, eventIds }: ApiKey): string =>
  groups === null
    ? text.unrestricted
    : [
        groups.map((group) => text.groups[group].label).join(', '),
        ...(eventIds === null ? [] : [text.eventCount(eventIds.length)]),
      ].join(' · ');

/** The API keys of the business unit. */
export function KeysPage() {
  const query = useCommandRead<{ keys: ApiKey[] }>('key.list', {});
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  const keys = query.data?.keys.toReversed() ?? [];
  return (
    <>
      <PageHeader title={text.title} description={text.description} actions={create} />
      <Section isFlush>
        {query.isPending && <SkeletonRows count={3} />}
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && keys.length === 0 && (
          <Empty guide="quick-start" icon={KeyRound} title={text.empty} action={create}>
            {text.emptyText}
          </Empty>
        )}
        {keys.length > 0 && (
          <Rows
            label={text.title}
            columns={columnsOf({ onEdit: setEdited, onRevoke: setRevoked })}
            rows={keys}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
          />
        )}
      </Section>
      <UseOfKeys />
      {isCreating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setSecret(created);
          }}
        />
      )}
      <SecretDialog
        secret={secret}
        title={text.secretTitle}
        description={text.secretText}
        copyLabel={text.copySecret}
        onClose={() => setSecret(null)}
      />
      {edited && <EditDialog apiKey={edited} onClose={() => setEdited(null)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

const columnsOf = ({
  onEdit,
  onRevoke,
}: Record<'onEdit' | 'onRevoke', (key: ApiKey) => void>): Column<ApiKey>[] => {
  const words = text.columns;
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'prefix',
      header: words.prefix,
      cell: ({ displayPrefix }) => <code className="text-xs">{displayPrefix}</code>,
    },
    {
      id: 'status',
      header: words.status,
      card: 'corner',
      cell: (key) => <StatusBadge kind="key" status={statusOf(key)} />,
    },
    { id: 'permits', header: words.permits, cell: permitsOf },
    {
      id: 'limit',
      header: words.limit,
      isNumber: true,
      cell: ({ rateLimitPerMinute }) =>
        rateLimitPerMinute === null ? text.defaultLimit : formatCount(rateLimitPerMinute),
    },
    {
      id: 'expires',
      header: words.expires,
      cell: ({ expiresAt, revokedAt }) =>
        revokedAt === null ? (
          <Instant at={expiresAt} />
        ) : (
          <span className="text-muted">
            {text.revokedAt} <Instant at={revokedAt} />
          </span>
        ),
    },
    {
      id: 'created',
      header: words.created,
      cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      card: 'end',
      cell: (key) =>
        key.revokedAt === null && (
          <span className="inline-flex flex-wrap justify-end gap-2">
            <Button aria-label={text.editTitle(key.name)} onClick={() => onEdit(key)}>
              {common.edit}
            </Button>
            <Button aria-label={text.revokeConfirm(key.name)} onClick={() => onRevoke(key)}>
              {text.revoke}
            </Button>
          </span>
        ),
    },
  ];
};

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const toast = useToast();
  const zone = useZone();
  const action = useAction<ApiKey>(({ name, revokedAt }) => {
    toast(text.revoked(name, formatInstant(revokedAt ?? now().toISOString(), zone)));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.revokeTitle(apiKey.name)}
      consequence={text.revokeText}
      confirmLabel={text.revokeConfirm(apiKey.name)}
      onConfirm={() => void action.run({ command: 'key.revoke', input: { id: apiKey.id } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
