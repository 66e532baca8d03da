import { Ban, Check, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Exhibitor } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { DetailColumns } from '../../components/detail/columns.tsx';
import { DetailError } from '../../components/detail/detail-error.tsx';
import { History } from '../../components/detail/history.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { BoothSection } from './booth-section.tsx';
import { CompanyDialog } from './company-dialog.tsx';
import { isWebAddress } from './exhibitors.rules.ts';
import { Roster } from './roster.tsx';

/** One company: its profile, the people who staff it, its booths, and what happened to it. */
export function ExhibitorDetail({ id }: { id: string }) {
  const query = useRead<Exhibitor>(`${useEventPath()}/exhibitors/${encodeURIComponent(id)}`);
  if (query.error && !query.data) {
    return <DetailError error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <SkeletonRows count={5} />;
  const exhibitor = query.data;
  return (
    <>
      <Header exhibitor={exhibitor} />
      <DetailColumns timeline={<ExhibitorHistory exhibitor={exhibitor} />}>
        <Profile exhibitor={exhibitor} />
        <Roster exhibitor={exhibitor} />
        <BoothSection exhibitor={exhibitor} />
      </DetailColumns>
    </>
  );
}

function Header({ exhibitor }: { exhibitor: Exhibitor }) {
  const event = useEvent();
  const mayWrite = usePermission('design');
  const toast = useToast();
  const [isEditing, setEditing] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const action = useAction<Exhibitor>(({ name, status }) => {
    setDeclining(false);
    toast(status === 'confirmed' ? text.confirmed(name) : text.declined(name));
  });
  const run = (verb: 'confirm' | 'decline') =>
    void action.run({
      command: `exhibitor.${verb}`,
      input: { eventId: event.id, exhibitorId: exhibitor.id },
    });
  const { status } = exhibitor;
  return (
    <>
      <PageHeader
        title={exhibitor.name}
        badge={<StatusBadge kind="exhibitor" status={status} />}
        description={<CopyText text={exhibitor.id} label={detailText.copyId} />}
        actions={
          mayWrite && (
            <>
              {status !== 'confirmed' && (
                <Button
                  kind="primary"
                  icon={Check}
                  isBusy={action.isRunning}
                  onClick={() => run('confirm')}
                >
                  {text.confirm}
                </Button>
              )}
              <ActionMenu
                actions={[
                  { label: text.edit, icon: Pencil, onSelect: () => setEditing(true) },
                  status !== 'declined' && {
                    label: text.decline,
                    icon: Ban,
                    isDanger: true,
                    onSelect: () => setDeclining(true),
                  },
                ]}
              />
            </>
          )
        }
      />
      {action.error && !isDeclining && <ErrorNote error={action.error} />}
      <DangerDialog
        isOpen={isDeclining}
        onClose={() => setDeclining(false)}
        title={text.declineTitle(exhibitor.name)}
        consequence={text.declineText(exhibitor.booths.length, exhibitor.members.length)}
        confirmLabel={text.declineConfirm(exhibitor.name)}
        onConfirm={() => run('decline')}
        isRunning={action.isRunning}
        error={action.error}
      />
      {isEditing && <CompanyDialog exhibitor={exhibitor} onClose={() => setEditing(false)} />}
    </>
  );
}

function Profile({ exhibitor: { website, description } }: { exhibitor: Exhibitor }) {
  const words = text.fields;
  const link = website && isWebAddress(website) && (
    <a href={website} target="_blank" rel="noreferrer" className="text-accent-ink underline">
      {website}
    </a>
  );
  return (
    <Section title={detailText.facts}>
      <Facts
        items={[
          [words.website, link || website || common.noValue],
          [words.description, description || common.noValue],
        ]}
      />
    </Section>
  );
}

function ExhibitorHistory({ exhibitor: { id, createdAt } }: { exhibitor: Exhibitor }) {
  const words = text.history;
  return (
    <History
      recordId={id}
      facts={[{ id: 'created', at: createdAt, what: words.created, sameAs: 'exhibitor.created' }]}
      operations={words.operations}
    />
  );
}
