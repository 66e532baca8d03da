import { useCommands } from '../../api/api.commands.ts';
import { useOptionalUnit } from '../../api/unit.ts';
import { SearchField } from '../../components/list/filters.tsx';
import { Link } from '../../components/ui/link.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { commandsText } from '../../text/text.commands.ts';

/** Every operator command that the role permits, by subject. */
export function CommandsPage() {
  const unit = useOptionalUnit();
  const commands = useCommands();
  const [search, setSearch] = useSearchState();
  const query = (search.q ?? '').toLowerCase();
  const permitted = (commands.data ?? []).filter(({ operationId, summary, permission }) => {
    const isPermitted = permission.some((word) =>
      (unit?.permissions ?? ['platform']).includes(word),
    );
    return isPermitted && `${operationId} ${summary}`.toLowerCase().includes(query);
  });
  const byTag = Map.groupBy(permitted, ({ tag }) => tag);
  return (
    <>
      <PageHeader title={commandsText.title} description={commandsText.description} />
      <div className="mb-3">
        <SearchField
          label={commandsText.search}
          value={search.q ?? ''}
          onChange={(q) => setSearch({ q })}
        />
      </div>
      {commands.isPending && <SkeletonRows />}
      {commands.error && (
        <ErrorNote error={commands.error} onRetry={() => void commands.refetch()} />
      )}
      {commands.data && permitted.length === 0 && <Empty title={commandsText.empty} />}
      <div className="flex flex-col gap-4">
        {[...byTag].map(([tag, list]) => (
          <Section key={tag} title={tag} isFlush>
            <ul className="divide-y divide-line">
              {list.map(({ operationId, summary }) => (
                <li key={operationId}>
                  <Link
                    href={
                      unit
                        ? paths.command(unit.id, operationId)
                        : paths.platformCommand(operationId)
                    }
                    search={{ event: search.event }}
                    className="grid gap-x-4 px-4 py-2 hover:bg-hover sm:grid-cols-[16rem_1fr]"
                  >
                    <span className="font-mono text-xs leading-5">{operationId}</span>
                    <span className="text-muted">{summary}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </>
  );
}
