import { ArrowLeft } from 'lucide-react';
import type { Command } from '../../api/api.commands.ts';
import { useOptionalUnit } from '../../api/unit.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { Link } from '../../components/ui/link.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { shellText } from '../../text/shell.ts';
import { commandsText as text } from '../../text/text.commands.ts';
import { splitSummary, type UsualPage, usualPageOf } from './commands.rules.ts';
import { KindBadge } from './kind-badge.tsx';
import { Prose } from './prose.tsx';

/** What a command does, its name, and the page that does the same. */
export function CommandHeader({ command }: { command: Command }) {
  const unit = useOptionalUnit();
  const [{ event }] = useSearchState();
  const { operationId, summary, description = '', isRead, tag } = command;
  const { title, note } = splitSummary(summary);
  const usual = usualPageOf(tag, unit !== null);
  return (
    <>
      <Link
        href={unit ? paths.commands(unit.id) : paths.platformPage('commands')}
        search={{ event }}
        className="mb-1 inline-flex min-h-6 items-center gap-1 text-muted hover:underline touch:min-h-11"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {text.back}
      </Link>
      <PageHeader
        title={title}
        badge={<KindBadge isRead={isRead} />}
        description={
          <>
            {note && `${note}. `}
            <Prose text={description} />
            <span className="mt-1 flex flex-wrap items-center gap-x-4">
              <CopyText text={operationId} label={text.copyName} className="-ml-1" />
              {usual && <Usual page={usual} unitId={unit?.id} eventId={event} />}
            </span>
          </>
        }
      />
    </>
  );
}

/** The page that does the same. That of an event is a link if the event is known. */
function Usual({
  page,
  unitId = '',
  eventId,
}: {
  page: UsualPage;
  unitId: string | undefined;
  eventId: string | undefined;
}) {
  const { label, href } = linkOf(page, unitId, eventId);
  return (
    <span>
      {text.usualPage}{' '}
      {href === null ? (
        label
      ) : (
        <Link href={href} className="text-accent underline">
          {label}
        </Link>
      )}
    </span>
  );
}

function linkOf(page: UsualPage, unitId: string, eventId: string | undefined) {
  switch (page.of) {
    case 'unit':
      return { label: shellText[page.name], href: paths[page.name](unitId) };
    case 'platform':
      return { label: shellText.platformPages[page.name], href: paths.platformPage(page.name) };
    case 'event': {
      const href = eventId === undefined ? null : paths.eventPage(unitId, eventId, page.name);
      return { label: shellText.eventPages[page.name], href };
    }
  }
}
