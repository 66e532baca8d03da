import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { type OpenSession, useSessions } from '../../api/account.ts';
import { useRun } from '../../api/actions.ts';
import { useClient } from '../../api/client.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { paths } from '../../format/paths.ts';
import { accountText as text } from '../../text/account.ts';

const nameOf = ({ isCurrent }: OpenSession): string =>
  isCurrent ? text.thisBrowser : text.otherBrowser;

const columns: Column<OpenSession>[] = [
  { id: 'browser', header: text.columns.browser, cell: nameOf },
  {
    id: 'since',
    header: text.columns.since,
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
  {
    id: 'seen',
    header: text.columns.seen,
    cell: ({ seenAt }) => <Instant at={seenAt} style="relative" />,
  },
  {
    id: 'expires',
    header: text.columns.expires,
    cell: ({ expiresAt }) => <Instant at={expiresAt} />,
  },
];

/** The browsers in which the operator is signed in, and the way to end all of these sessions. */
export function Sessions() {
  const query = useSessions();
  const [isEnding, setEnding] = useState(false);
  const Rows = useIsPhone() ? Cards : Table;
  return (
    <Section
      title={text.sessions}
      description={text.sessionsText}
      actions={
        <Button icon={LogOut} onClick={() => setEnding(true)}>
          {text.everywhere}
        </Button>
      }
      isFlush
    >
      {query.isPending && <SkeletonRows count={2} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <Rows
          label={text.sessions}
          columns={columns}
          rows={query.data.sessions}
          rowId={({ createdAt, seenAt }) => `${createdAt} ${seenAt}`}
          rowName={nameOf}
        />
      )}
      {isEnding && <EverywhereDialog onClose={() => setEnding(false)} />}
    </Section>
  );
}

function EverywhereDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ending = useRun(async () => {
    await client.request({ method: 'POST', path: '/api/sign-out', body: { everywhere: true } });
    queries.clear();
    await navigate({ to: paths.signIn(), ignoreBlocker: true });
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.everywhereTitle}
      consequence={text.everywhereText}
      confirmLabel={text.everywhereConfirm}
      onConfirm={() => void ending.run()}
      isRunning={ending.isRunning}
      error={ending.error}
    />
  );
}
