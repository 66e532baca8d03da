import { useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useExhibitors, useVenues } from '../../api/event-data.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { ListWithDetail } from '../../components/detail/side-panel.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { Booths } from './booths.tsx';
import { Companies } from './companies.tsx';
import { CompanyDialog } from './company-dialog.tsx';
import { ExhibitorDetail } from './exhibitor-detail.tsx';

/** The exhibitors, and the page of one beside them. */
export function ExhibitorsPage() {
  const unit = useUnit();
  const event = useEvent();
  const { exhibitorId } = useParams({ strict: false }) as { exhibitorId?: string };
  return (
    <ListWithDetail
      label={text.panel}
      listHref={paths.eventPage(unit.id, event.id, 'exhibitors')}
      list={<Exhibitors activeId={exhibitorId} />}
      detail={exhibitorId ? <ExhibitorDetail key={exhibitorId} id={exhibitorId} /> : null}
    />
  );
}

function Exhibitors({ activeId }: { activeId: string | undefined }) {
  const unit = useUnit();
  const event = useEvent();
  const mayWrite = usePermission('design');
  const [search] = useSearchState();
  const [isAdding, setAdding] = useState(false);
  const query = useExhibitors();
  const venues = useVenues().data?.venues ?? [];
  const isBooths = search.view === 'booths';
  const exhibitors = query.data?.exhibitors;
  const add = mayWrite && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={text.title} description={text.description} actions={add} />
      <Tabs
        label={text.viewsLabel}
        href={paths.eventPage(unit.id, event.id, 'exhibitors')}
        tabs={[
          { label: text.views.companies, search: {}, isCurrent: !isBooths },
          { label: text.views.booths, search: { view: 'booths' }, isCurrent: isBooths },
        ]}
      />
      {query.error && !exhibitors && (
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <SkeletonRows />}
      {exhibitors &&
        (isBooths ? (
          <Booths exhibitors={exhibitors} venues={venues} />
        ) : (
          <Companies exhibitors={exhibitors} venues={venues} activeId={activeId} add={add} />
        ))}
      {isAdding && <CompanyDialog exhibitor={null} onClose={() => setAdding(false)} />}
    </>
  );
}
