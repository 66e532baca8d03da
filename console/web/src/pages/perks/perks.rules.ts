import type { Perk, Session, Venue } from '../../api/records.ts';

/** What can deliver a perk. */
export interface Target {
  type: 'registration_type' | 'addon' | 'redemption_code';
  id: string;
  name: string;
}

/** A code with the perks that it delivers. */
export interface CodeWithPerks {
  id: string;
  code: string;
  label: string | null;
  perkIds: readonly string[];
}

/** The perks of each ticket type, add-on and code, by its id. */
export type Delivered = ReadonlyMap<string, ReadonlySet<string>>;

export function deliveredBy(perks: readonly Perk[], codes: readonly CodeWithPerks[]): Delivered {
  const delivered = new Map<string, Set<string>>();
  const add = (targetId: string, perkId: string) =>
    delivered.set(targetId, (delivered.get(targetId) ?? new Set()).add(perkId));
  for (const perk of perks) for (const { targetId } of perk.bindings) add(targetId, perk.id);
  for (const code of codes) for (const perkId of code.perkIds) add(code.id, perkId);
  return delivered;
}

/** The perks that are marked in each row of a table, saved or not yet. */
export const markedIn = (
  rows: readonly { id: string }[],
  perks: readonly { id: string }[],
  isOn: (rowId: string, perkId: string) => boolean,
): Delivered =>
  new Map(
    rows.map((row) => [
      row.id,
      new Set(perks.map(({ id }) => id).filter((perkId) => isOn(row.id, perkId))),
    ]),
  );

/** Rooms or sessions with the perks that are marked instead of the saved ones. */
export const withMarks = <T extends { id: string; perkIds: string[] }>(
  records: readonly T[],
  marks: Delivered,
): T[] => records.map((record) => ({ ...record, perkIds: [...(marks.get(record.id) ?? [])] }));

/** A door with a gate: a room, or a session, which has the gate of its room, too. */
export interface Door {
  type: 'venue' | 'session';
  id: string;
  name: string;
  perkIds: readonly string[];
  /** The gates that must all open. */
  gates: readonly (readonly string[])[];
}

export function doorsOf(venues: readonly Venue[], sessions: readonly Session[]): Door[] {
  const gateOf = new Map(venues.map(({ id, perkIds }) => [id, perkIds]));
  return [
    ...venues.map(({ id, name, perkIds }) => {
      return { type: 'venue' as const, id, name, perkIds, gates: [perkIds] };
    }),
    ...sessions.map(({ id, title, perkIds, venueId }) => {
      const gates = [perkIds, gateOf.get(venueId ?? '') ?? []];
      return { type: 'session' as const, id, name: title, perkIds, gates };
    }),
  ];
}

/**
 * `opens`: these perks open every gate; `helps`: some of them, so others must come with it;
 * `closed`: none.
 */
export type Entry = 'opens' | 'helps' | 'closed';

/**
 * Whether perks open a door, by the rule of a check-in: any perk of a gate opens it, and one
 * without perks is open.
 */
export function decideEntry(
  gates: readonly (readonly string[])[],
  held: ReadonlySet<string>,
): Entry {
  const needed = gates.filter((gate) => gate.length > 0);
  const opened = needed.filter((gate) => gate.some((perk) => held.has(perk)));
  if (opened.length === needed.length) return 'opens';
  return opened.length > 0 ? 'helps' : 'closed';
}

export interface EntrySummary {
  isOpen: boolean;
  /** Ticket types that open the door by themselves. */
  tickets: string[];
  /** Add-ons and codes with which any ticket opens it. */
  extras: string[];
  /** What opens one of its two gates only. */
  partly: string[];
}

/** Who gets in at a door, in names. */
export function summarizeEntry(
  { gates }: Door,
  targets: readonly Target[],
  delivered: Delivered,
): EntrySummary {
  const isOpen = gates.every((gate) => gate.length === 0);
  const none: ReadonlySet<string> = new Set();
  const of = (entry: Entry, isWanted: (target: Target) => boolean) =>
    targets
      .filter(
        (target) =>
          isWanted(target) && decideEntry(gates, delivered.get(target.id) ?? none) === entry,
      )
      .map(({ name }) => name);
  const isTicket = ({ type }: Target) => type === 'registration_type';
  return {
    isOpen,
    tickets: of('opens', isTicket),
    extras: of('opens', (target) => !isTicket(target)),
    partly: of('helps', () => true),
  };
}
