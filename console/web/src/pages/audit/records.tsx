import { kindOf, type RecordRef } from '../../api/record-names.ts';
import type { AuditEntry } from '../../api/records.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { NoValue } from '../../components/ui/no-value.tsx';
import { paths } from '../../format/paths.ts';
import { auditText as text } from '../../text/audit.ts';
import { sentenceOf, shortId } from './audit.rules.ts';

/** The records that the sentences of entries name, and their events. */
export const namedRecordsOf = (entries: readonly AuditEntry[]): RecordRef[] =>
  entries.flatMap((entry) => {
    const { eventId } = entry;
    const named = sentenceOf(entry).flatMap((piece) => (piece.kind === 'record' ? piece.id : []));
    return [...named, ...(eventId === null ? [] : [eventId])].map((id) => ({ id, eventId }));
  });

/** A record by name, as a link if it has a page. The id of one without a name can be copied. */
export function RecordName({
  id,
  eventId,
  unitId,
  names,
}: {
  id: string;
  eventId: string | null;
  unitId: string;
  names: ReadonlyMap<string, string>;
}) {
  const href = pageOf(unitId, eventId, id);
  const name = names.get(id);
  if (href) {
    return (
      <TextLink href={href} title={id}>
        {name ?? shortId(id)}
      </TextLink>
    );
  }
  if (name !== undefined) return <strong className="font-medium">{name}</strong>;
  return <CopyText text={id} short={shortId(id)} label={text.copyRecord} />;
}

/** All records of an entry. */
export function Records({
  entry: { records, eventId },
  ...context
}: {
  entry: AuditEntry;
  unitId: string;
  names: ReadonlyMap<string, string>;
}) {
  if (records.length === 0) return <NoValue />;
  return (
    <span className="flex flex-col items-start gap-0.5">
      {records.map((id) => (
        <RecordName key={id} id={id} eventId={eventId} {...context} />
      ))}
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
