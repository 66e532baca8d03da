import { useRead } from '../../api/api.queries.ts';
import type { EffectivePerk } from '../../api/records.ts';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { registrationsText as text } from '../../text/registrations.ts';

/** The perks of a person, each with where it comes from. */
export function Perks({ path }: { path: string }) {
  const query = useRead<{ perks: EffectivePerk[] }>(path);
  const perks = query.data?.perks ?? [];
  return (
    <Section title={text.perks}>
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton className="w-1/2" />}
      {query.data && perks.length === 0 && <p className="text-muted">{text.noPerks}</p>}
      <ul className="flex flex-col gap-1">
        {perks.map(({ id, name, sources }) => (
          <li key={id}>
            {name}{' '}
            <span className="text-muted">
              {sources.map(({ type }) => text.from[type]).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
