import { useActorNames, useAuditOf, useChangesOf } from '../../api/history.ts';
import type { AuditEntry, Change } from '../../api/records.ts';
import { listFields } from '../../format/field-words.ts';
import { auditFields } from '../../text/audit-sentences.ts';
import { detailText } from '../../text/detail.ts';
import { historyText as text } from '../../text/history.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { Section } from '../ui/surface.tsx';
import {
  type Happening,
  isQuote,
  mergeHistory,
  type OwnFact,
  operationSaying,
} from './history-rules.ts';
import { Timeline, type TimelineEntry } from './timeline.tsx';

/**
 * What happened to a record: its changes, what people did to it, and what the record itself says.
 * `operations` are words for what people do to this kind of record, in place of the general ones.
 */
export function History({
  recordId,
  facts,
  operations = {},
}: {
  recordId: string;
  facts: readonly OwnFact[];
  operations?: Words;
}) {
  const changes = useChangesOf(recordId);
  const audit = useAuditOf(recordId);
  const names = useActorNames();
  const words = { ...text.operations, ...operations };
  const happenings = mergeHistory({ changes: changes.rows, entries: audit.rows, facts });
  return (
    <Section title={detailText.timeline}>
      <div className="flex flex-col gap-3">
        {changes.error && changes.rows.length === 0 && (
          <ErrorNote error={changes.error} onRetry={changes.reload} />
        )}
        {(audit.error || audit.incomplete.length > 0) && (
          <p className="text-amber">{text.incomplete}</p>
        )}
        {changes.isLoading || audit.isLoading ? (
          <Skeleton className="w-1/2" />
        ) : (
          <Timeline entries={happenings.map((each) => entryOf(each, words, names))} />
        )}
        {(changes.hasMore || audit.hasMore) && (
          <Button
            className="self-start"
            isBusy={changes.isLoadingMore || audit.isLoadingMore}
            onClick={() => {
              if (changes.hasMore) changes.loadMore();
              if (audit.hasMore) audit.loadMore();
            }}
          >
            {text.older}
          </Button>
        )}
      </div>
    </Section>
  );
}

type Words = Readonly<Record<string, string>>;

function entryOf(
  happening: Happening,
  operations: Words,
  names: ReadonlyMap<string, string>,
): TimelineEntry {
  const { id, at } = happening;
  switch (happening.kind) {
    case 'fact': {
      const { what, who = null, note = null } = happening.fact;
      return { id, at, what, who, note };
    }
    case 'change': {
      const { change, fact, audited } = happening;
      const who = actorText(change.actor, names);
      const operation = operationSaying(change, audited);
      const done = operation === null ? undefined : doneText(operation, audited, operations);
      const what = fact?.what ?? done ?? text.changes[change.type] ?? change.type;
      const note = fact?.note ?? null;
      if (!audited) return { id, at, what, who, note };
      return { id, at, what, who, note: audited.reason ?? note, requestId: audited.requestId };
    }
    case 'audit': {
      const { operation, result, actor, reason, requestId } = happening.entry;
      const done = doneText(operation, happening.entry, operations) ?? operation;
      const what = result === 'refused' ? text.refused(done) : done;
      return { id, at, what, who: actorText(actor, names), note: reason, requestId };
    }
  }
}

/** What a person did, with the fields that an update has set. */
function doneText(
  operation: string,
  entry: Pick<AuditEntry, 'fields' | 'records'> | null,
  operations: Words,
): string | undefined {
  const fields = listFields(entry?.fields ?? [], auditFields);
  if (text.updates.has(operation) && fields !== '') return text.changedFields(fields);
  const quoted = entry !== null && isQuote(entry) ? text.quotes[operation] : undefined;
  return quoted ?? operations[operation];
}

function actorText(
  { type, id }: Change['actor'] | AuditEntry['actor'],
  names: ReadonlyMap<string, string>,
): string {
  const name = names.get(id ?? '');
  if (type === 'cli' && id !== null) return text.commandLine(id);
  if (name === undefined) return text.actors[type];
  return type === 'key' ? text.key(name) : name;
}
