import type { AuditEntry } from '../../api/records.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { auditText as text } from '../../text/audit.ts';
import { errorText } from '../../text/errors.ts';
import { sentenceOf } from './audit.rules.ts';
import { RecordName } from './records.tsx';

/** What a person has done or tried, in a sentence with links to the records, and why. */
export function Sentence({
  entry,
  ...context
}: {
  entry: AuditEntry;
  unitId: string;
  names: ReadonlyMap<string, string>;
}) {
  const { eventId, result } = entry;
  const pieces = sentenceOf(entry);
  const isNamed = pieces.some((piece) => piece.kind === 'record' && piece.id === eventId);
  const reason = reasonOf(entry);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-normal [&_a,&_button]:relative [&_a,&_button]:z-1">
      <span>
        {pieces.map((piece, index) =>
          piece.kind === 'text' ? (
            piece.text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their places
            <RecordName key={index} id={piece.id} eventId={eventId} {...context} />
          ),
        )}
        {eventId !== null && !isNamed && (
          <span className="text-muted">
            {` ${text.inEvent} `}
            {context.names.get(eventId) ?? eventId}
          </span>
        )}
      </span>
      {result !== 'done' && <StatusBadge kind="audit" status={result} />}
      {reason && <span className="w-full text-muted">{reason}</span>}
    </span>
  );
}

/** Why it was refused, in words if the reason has some, or the note of the person. */
export function reasonOf({ reason, result }: Pick<AuditEntry, 'reason' | 'result'>): string | null {
  if (reason === null) return null;
  return result === 'refused' ? (errorText.byReason[reason] ?? reason) : text.reason(reason);
}
