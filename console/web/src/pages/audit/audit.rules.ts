import { kindOf } from '../../api/record-names.ts';
import type { AuditEntry, Change, Member } from '../../api/records.ts';
import { isQuote } from '../../components/detail/history-rules.ts';
import { listFields } from '../../format/field-words.ts';
import { formatDay } from '../../format/time.ts';
import { auditText as text } from '../../text/audit.ts';
import {
  auditFields,
  auditSentences,
  donePast,
  quoteSentences,
} from '../../text/audit-sentences.ts';

const words = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The name of an operation in words: `order.refund` is "Refund order", `updateTicketType` is
 * "Update ticket type".
 */
export function actionOf(operation: string): string {
  const [noun = '', verb] = operation.split('.');
  if (verb === undefined) return sentence(words(noun));
  const [first = '', ...rest] = words(verb).split(' ');
  const object = rest.length === 0 ? words(noun) : `${rest.join(' ')} of ${words(noun)}`;
  return sentence(`${first} ${object}`);
}

/** A piece of the sentence about an entry. */
export type Piece = { kind: 'text'; text: string } | { kind: 'record'; id: string };

type Recorded = Pick<AuditEntry, 'operation' | 'records' | 'eventId' | 'fields' | 'result'>;

const placeholder = /\s?\{([\w|]+)\}/;

/**
 * What an entry says after its actor: "Changed the name and start of", and the record. A request
 * that was refused says what was tried. Records that the entry does not name are left out.
 */
export function sentenceOf({ operation, records, eventId, fields, result }: Recorded): Piece[] {
  const quote = isQuote({ fields, records }) ? quoteSentences[operation] : undefined;
  const template = quote ?? auditSentences[operation];
  if (template === undefined) return [{ kind: 'text', text: actionOf(operation) }];
  const ids = [...records, ...(eventId === null ? [] : [eventId])];
  const set = listFields(fields, auditFields) || text.noFields;
  const [first = '', ...pieces] = template.split(placeholder);
  const sentence: Piece[] = [{ kind: 'text', text: beginning(first, result) }];
  // Text and names of placeholders alternate.
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 1) {
      if (piece !== '') sentence.push({ kind: 'text', text: piece });
    } else if (piece === 'fields') {
      sentence.push({ kind: 'text', text: ` ${set}` });
    } else {
      const kinds = piece.split('|');
      const id = ids.find((each) => kinds.includes(kindOf(each)));
      if (id !== undefined) sentence.push({ kind: 'text', text: ' ' }, { kind: 'record', id });
    }
  }
  return sentence;
}

function beginning(words: string, result: AuditEntry['result']): string {
  if (result === 'refused') return text.tried(words);
  if (result === 'started') return text.began(words);
  const [verb = '', ...rest] = words.split(' ');
  return [donePast[verb] ?? sentence(verb), ...rest].join(' ');
}

/** The sentence as plain text, with the names of records that are known. */
export const plainSentence = (
  pieces: readonly Piece[],
  names: ReadonlyMap<string, string>,
): string =>
  pieces
    .map((piece) =>
      piece.kind === 'text' ? piece.text : (names.get(piece.id) ?? shortId(piece.id)),
    )
    .join('');

/** The id of a record without a name, short: its kind and its end. */
export const shortId = (id: string): string => `${kindOf(id)}_…${id.slice(-6)}`;

/**
 * The filter of a text that names a record. Entries about an event name it apart from their
 * records.
 */
export function recordFilter(text: string | undefined): { eventId?: string; record?: string } {
  const id = text?.trim() ?? '';
  if (id === '') return {};
  return id.startsWith('evt_') ? { eventId: id } : { record: id };
}

type Done = Pick<AuditEntry, 'actor' | 'actorName'>;

/** Who has done it: the name of an operator, the user of the command line, or the platform. */
export function whoOf({ actor, actorName }: Done): string {
  if (actor.type === 'operator') return actorName ?? actor.id ?? '';
  return actor.type === 'system' ? text.platform : text.commandLine(actor.id);
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase();
}

/**
 * The people by whom the log can be filtered: the members, those of the entries that are shown, and
 * the chosen one. An entry of the command line without a user names nobody.
 */
export function actorsOf(
  shown: readonly Done[],
  members: readonly Pick<Member, 'operatorId' | 'name'>[],
  chosen: string | undefined,
): { value: string; label: string }[] {
  const people = new Map<string, string>();
  if (chosen !== undefined) {
    people.set(chosen, chosen.startsWith('opr_') ? chosen : text.commandLine(chosen));
  }
  for (const entry of shown) if (entry.actor.id !== null) people.set(entry.actor.id, whoOf(entry));
  for (const { operatorId, name } of members) people.set(operatorId, name);
  return [...people].map(([value, label]) => ({ value, label }));
}

/** The entries of each day of a zone, in their order. */
export function byDay<Entry extends Pick<AuditEntry, 'at'>>(
  entries: readonly Entry[],
  zone: string,
): { title: string; rows: Entry[] }[] {
  const days = Map.groupBy(entries, ({ at }) => formatDay(at, zone));
  return [...days].map(([title, rows]) => ({ title, rows }));
}

/** An entry and the change that it made are written in one transaction. */
const sameTransactionMs = 5000;

/**
 * What the request of an entry has made of a record: the change of the same actor that is nearest
 * in time, with the status before and after. Null if the feed has none, or the status is the same.
 */
export function statusChangeOf(
  { at, actor, result }: Pick<AuditEntry, 'at' | 'actor' | 'result'>,
  changes: readonly Pick<Change, 'occurredAt' | 'actor' | 'previous' | 'current'>[],
): { before: string | null; after: string | null } | null {
  if (result !== 'done') return null;
  const distance = ({ occurredAt }: { occurredAt: string }) =>
    Math.abs(Date.parse(occurredAt) - Date.parse(at));
  const [change] = changes
    .filter((each) => each.actor.type === actor.type && each.actor.id === actor.id)
    .filter((each) => distance(each) <= sameTransactionMs)
    .toSorted((one, other) => distance(one) - distance(other));
  const [before = null, after = null] = [change?.previous?.status, change?.current?.status];
  return before === after ? null : { before, after };
}
