import type { ReactNode } from 'react';
import { useChangesOf } from '../../api/history.ts';
import type { AuditEntry } from '../../api/records.ts';
import { useUnit } from '../../api/unit.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Facts } from '../../components/ui/surface.tsx';
import { fieldWords } from '../../format/field-words.ts';
import { formatSecond, viewerZone } from '../../format/time.ts';
import { auditText as text } from '../../text/audit.ts';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { actionOf, statusChangeOf, whoOf } from './audit.rules.ts';
import { Records } from './records.tsx';

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
  const words = text.columns;
  const { at, records, fields, result, reason, requestId, operation } = entry;
  const [first] = records;
  const facts: readonly (readonly [string, ReactNode] | null)[] = [
    [words.actor, whoOf(entry)],
    [words.at, formatSecond(at, viewerZone())],
    [
      words.records,
      <Records key="records" entry={entry} unitId={unit.id} names={names} limit={records.length} />,
    ],
    fields.length > 0 ? [words.fields, fields.map(fieldWords).join(', ')] : null,
    first === undefined
      ? null
      : [text.status, <StatusChange key="status" entry={entry} id={first} />],
    [
      words.result,
      <span key="result">
        <StatusBadge kind="audit" status={result} /> {reason}
      </span>,
    ],
    [words.request, <CopyText key="request" text={requestId} label={detailText.copyRequestId} />],
  ];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={actionOf(operation)}
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

/** The status of a record before and after, where the change feed has it. */
function StatusChange({ entry, id }: { entry: AuditEntry; id: string }) {
  const changes = useChangesOf(id);
  if (changes.isLoading) return common.loading;
  const change = statusChangeOf(entry, changes.rows);
  if (!change) return text.noStatus;
  const { before, after } = change;
  return `${before ?? text.noRecord} → ${after ?? text.noRecord}`;
}
