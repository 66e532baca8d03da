import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useChangesOf } from '../../api/history.ts';
import { kindOf } from '../../api/record-names.ts';
import type { AuditEntry } from '../../api/records.ts';
import { useUnit, useZone } from '../../api/unit.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Facts } from '../../components/ui/surface.tsx';
import { listFields } from '../../format/field-words.ts';
import { formatSecond } from '../../format/time.ts';
import { auditText as text } from '../../text/audit.ts';
import { auditFields } from '../../text/audit-sentences.ts';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import type { StatusKind } from '../../text/status.ts';
import { actionOf, plainSentence, sentenceOf, statusChangeOf, whoOf } from './audit.rules.ts';
import { Records } from './records.tsx';
import { reasonOf } from './sentence.tsx';

/** One entry of the audit log: who did what to which record, and what became of it. */
export function EntryDialog({
  entry,
  names,
  onFilter,
  onClose,
}: {
  entry: AuditEntry;
  names: ReadonlyMap<string, string>;
  onFilter: () => void;
  onClose: () => void;
}) {
  const unit = useUnit();
  const zone = useZone();
  const words = text.columns;
  const { at, records, eventId, fields, result, requestId, operation } = entry;
  const changed = records[0] ?? eventId;
  const reason = reasonOf(entry);
  const facts: readonly (readonly [string, ReactNode] | null)[] = [
    [words.actor, whoOf(entry)],
    [words.at, formatSecond(at, zone)],
    [words.records, <Records key="records" entry={entry} unitId={unit.id} names={names} />],
    fields.length > 0 ? [words.fields, <FieldList key="fields" fields={fields} />] : null,
    changed === null
      ? null
      : [text.status, <StatusChange key="status" entry={entry} id={changed} />],
    [
      words.result,
      <span key="result">
        <StatusBadge kind="audit" status={result} /> {reason}
      </span>,
    ],
    [words.operation, <code key="operation">{operation}</code>],
    [words.request, <CopyText key="request" text={requestId} label={detailText.copyRequestId} />],
  ];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={plainSentence(sentenceOf(entry), names)}
      footer={
        <>
          <Button
            onClick={() => {
              onFilter();
              onClose();
            }}
          >
            {text.filterBy(actionOf(operation))}
          </Button>
          <Button onClick={onClose}>{common.close}</Button>
        </>
      }
    >
      <Facts items={facts} />
    </Dialog>
  );
}

/** What the request has set. The log has no values, which may be about people. */
const FieldList = ({ fields }: { fields: readonly string[] }) => (
  <ul className="flex flex-wrap gap-1">
    {fields.map((field) => (
      <li key={field} className="rounded-sm bg-subtle px-1.5">
        {listFields([field], auditFields)}
      </li>
    ))}
  </ul>
);

/** The status of a record before and after, where the change feed has it. */
function StatusChange({ entry, id }: { entry: AuditEntry; id: string }) {
  const changes = useChangesOf(id);
  if (changes.isLoading) return common.loading;
  const change = statusChangeOf(entry, changes.rows);
  if (!change) return text.noStatus;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Status id={id} status={change.before} />
      <ArrowRight role="img" aria-label={text.became} className="size-4 text-muted" />
      <Status id={id} status={change.after} />
    </span>
  );
}

/** The statuses of records in words, by the prefix of their ids. */
const kinds: Readonly<Record<string, StatusKind>> = {
  evt: 'event',
  tt: 'sale',
  addon: 'sale',
  bdl: 'sale',
  reg: 'registration',
  ord: 'order',
  exh: 'exhibitor',
  code: 'code',
  whe: 'endpoint',
};

function Status({ id, status }: { id: string; status: string | null }) {
  const kind = kinds[kindOf(id)];
  if (status === null) return <span className="text-muted">{text.noRecord}</span>;
  return kind ? <StatusBadge kind={kind} status={status} /> : status;
}
