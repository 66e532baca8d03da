import { kindOf, type RecordRef } from '../../api/record-names.ts';
import type { AuditEntry } from '../../api/records.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { NoValue } from '../../components/ui/no-value.tsx';
import { paths } from '../../format/paths.ts';
import { auditText as text } from '../../text/audit.ts';

const shownRecords = 3;

/** The records that rows of entries name. */
export const shownRecordsOf = (entries: readonly AuditEntry[]): RecordRef[] =>
  entries.flatMap(({ records, eventId }) =>
    records.slice(0, shownRecords).map((id) => ({ id, eventId })),
  );

/** The first records of an entry by name, with links to those that have a page. */
export function Records({
  entry: { records, eventId },
  unitId,
  names,
  limit = shownRecords,
}: {
  entry: AuditEntry;
  unitId: string;
  names: ReadonlyMap<string, string>;
  limit?: number;
}) {
  if (records.length === 0) return <NoValue />;
  return (
    <span className="flex flex-col items-start gap-0.5">
      {records.slice(0, limit).map((id) => {
        const href = pageOf(unitId, eventId, id);
        const name = names.get(id);
        const short = name ?? `${kindOf(id)}_…${id.slice(-6)}`;
        return href ? (
          <TextLink key={id} href={href} title={id} className="inline-flex min-h-6 items-center">
            {short}
          </TextLink>
        ) : (
          <CopyText
            key={id}
            text={id}
            short={short}
            label={text.copyRecord}
            className={name ? '!font-sans !text-sm' : ''}
          />
        );
      })}
      {records.length > limit && (
        <span className="text-muted">{text.more(records.length - limit)}</span>
      )}
    </span>
  );
}

function pageOf(unitId: string, eventId: string | null, id: string): string | null {
  const kind = kindOf(id);
  if (kind === 'evt') return paths.event(unitId, id);
  if (kind === 'whe') return paths.webhook(unitId, id);
  if (eventId === null) return null;
  if (kind === 'reg') return paths.registration(unitId, eventId, id);
  if (kind === 'ord') return paths.order(unitId, eventId, id);
  if (kind === 'exh') return paths.exhibitor(unitId, eventId, id);
  return ['tt', 'addon', 'bdl'].includes(kind) ? paths.eventPage(unitId, eventId, 'tickets') : null;
}
