import { detailText } from '../../text/detail.ts';
import { CopyText } from '../ui/copy.tsx';
import { Instant } from '../ui/instant.tsx';

export interface TimelineEntry {
  id: string;
  at: string;
  what: string;
  who: string | null;
  note?: string | null;
  requestId?: string | null;
}

/** What happened to a record, newest first: what, who, when, and the request. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const sorted = entries.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (sorted.length === 0) return <p className="text-muted">{detailText.noHistory}</p>;
  return (
    <ol className="flex flex-col">
      {sorted.map(({ id, at, what, who, note, requestId }) => (
        <li key={id} className="relative border-l border-line pb-4 pl-4 last:pb-0">
          <span aria-hidden className="absolute top-1.5 -left-1 size-2 rounded-full bg-edge" />
          <p className="font-medium">{what}</p>
          <p className="text-muted">
            <Instant at={at} />
            {who && ` · ${who}`}
          </p>
          {note && <p className="mt-0.5">{note}</p>}
          {requestId && <CopyText text={requestId} label={detailText.copyRequestId} />}
        </li>
      ))}
    </ol>
  );
}
