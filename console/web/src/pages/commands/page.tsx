import { type Command, useCommands } from '../../api/api.commands.ts';
import { useOptionalUnit } from '../../api/unit.ts';
import { FilterChip, SearchField } from '../../components/list/filters.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { Link } from '../../components/ui/link.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { commandsText } from '../../text/text.commands.ts';
import { type CommandFilter, groupFound, permittedTo, splitSummary } from './commands.rules.ts';
import { KindBadge } from './kind-badge.tsx';

const kinds = Object.entries(commandsText.kinds).map(([value, label]) => ({ value, label }));

/** Every operator command that the role permits, by subject. */
export function CommandsPage() {
  const unit = useOptionalUnit();
  const commands = useCommands();
  const [search, setSearch] = useSearchState();
  const permitted = permittedTo(unit?.permissions ?? ['platform'], commands.data ?? []);
  const groups = [...new Set(permitted.map(({ tag }) => tag))];
  const found = groupFound(permitted, {
    query: search.q ?? '',
    group: search.group,
    kind: search.kind as CommandFilter['kind'],
  });
  return (
    <>
      <PageHeader title={commandsText.title} description={commandsText.description} />
      <ListFilters
        search={
          <SearchField
            label={commandsText.search}
            value={search.q ?? ''}
            onChange={(q) => setSearch({ q })}
          />
        }
        values={[search.group, search.kind]}
        onClear={() => setSearch({ group: undefined, kind: undefined })}
      >
        <FilterChip
          label={commandsText.group}
          value={search.group}
          choices={groups.map((group) => ({ value: group, label: group }))}
          onChange={(group) => setSearch({ group })}
        />
        <FilterChip
          label={commandsText.kind}
          value={search.kind}
          choices={kinds}
          onChange={(kind) => setSearch({ kind })}
        />
      </ListFilters>
      {commands.isPending && <SkeletonRows />}
      {commands.error && (
        <ErrorNote error={commands.error} onRetry={() => void commands.refetch()} />
      )}
      {commands.data && found.size === 0 && <Empty title={commandsText.empty} />}
      <div className="flex flex-col gap-4">
        {[...found].map(([tag, list]) => (
          <Section key={tag} title={tag} description={commandsText.count(list.length)} isFlush>
            <ul className="divide-y divide-line border-t border-line">
              {list.map((command) => (
                <li key={command.operationId}>
                  <CommandLink command={command} event={search.event} />
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </>
  );
}

function CommandLink({ command, event }: { command: Command; event: string | undefined }) {
  const unit = useOptionalUnit();
  const { operationId, summary, isRead } = command;
  const { title, note } = splitSummary(summary);
  return (
    <Link
      href={unit ? paths.command(unit.id, operationId) : paths.platformCommand(operationId)}
      search={{ event }}
      className="flex items-start justify-between gap-x-4 px-4 py-2 hover:bg-hover"
    >
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        {note && <span className="block text-muted">{note}</span>}
        <span className="block font-mono text-xs leading-5 text-muted">{operationId}</span>
      </span>
      <KindBadge isRead={isRead} />
    </Link>
  );
}
