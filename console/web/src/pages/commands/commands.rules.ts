import type { Command } from '../../api/api.commands.ts';
import type { EventPageName, UnitPageName } from '../../format/paths.ts';

/** What a list of commands is narrowed to. */
export interface CommandFilter {
  query: string;
  /** A subject, such as "Perks". */
  group?: string | undefined;
  kind?: 'read' | 'change' | undefined;
}

/** The commands that one of the permissions allows. */
export const permittedTo = (
  permissions: readonly string[],
  commands: readonly Command[],
): Command[] =>
  commands.filter(({ permission }) => permission.some((word) => permissions.includes(word)));

/**
 * The commands with every word of the query in their name or their description, by their subjects.
 * Commands of a subject stay together, in the order of the first of them.
 */
export function groupFound(
  commands: readonly Command[],
  { query, group, kind }: CommandFilter,
): ReadonlyMap<string, Command[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const { operationId, summary, description = '', tag, isRead } = command;
    const text = `${operationId} ${summary} ${description} ${tag}`.toLowerCase();
    const isOfKind = kind === undefined || (kind === 'read') === isRead;
    return isOfKind && (group ?? tag) === tag && words.every((word) => text.includes(word));
  });
  return Map.groupBy(found, ({ tag }) => tag);
}

/** A summary as a title and what it adds: "Revoke a device; every gateway rejects it" has both. */
export function splitSummary(summary: string): { title: string; note: string } {
  const end = summary.search(/[;:]/);
  if (end === -1) return { title: summary, note: '' };
  const note = summary.slice(end + 1).trim();
  return { title: summary.slice(0, end), note: note.charAt(0).toUpperCase() + note.slice(1) };
}

/** The page on which an operator usually does what the commands of a subject do. */
export type UsualPage =
  | { of: 'unit'; name: UnitPageName }
  | { of: 'event'; name: EventPageName }
  | { of: 'platform'; name: 'administrators' | 'system' };

const usualPages: Readonly<Record<string, UsualPage>> = {
  Members: { of: 'unit', name: 'team' },
  'API keys': { of: 'unit', name: 'keys' },
  Audit: { of: 'unit', name: 'audit' },
  Devices: { of: 'event', name: 'doors' },
  'Check-ins': { of: 'event', name: 'doors' },
  Events: { of: 'event', name: 'settings' },
  'Registration forms': { of: 'event', name: 'form' },
  'Refund policies': { of: 'event', name: 'settings' },
  Perks: { of: 'event', name: 'perks' },
  'Redemption codes': { of: 'event', name: 'codes' },
  Registrations: { of: 'event', name: 'registrations' },
  Persons: { of: 'event', name: 'registrations' },
  Orders: { of: 'event', name: 'orders' },
  Program: { of: 'event', name: 'program' },
  Exhibitors: { of: 'event', name: 'exhibitors' },
  Projections: { of: 'platform', name: 'system' },
};

/** Null for a subject without a page, and on a page of the platform for those of a unit. */
export function usualPageOf(tag: string, isInUnit: boolean): UsualPage | null {
  const page = usualPages[tag] ?? null;
  return page && isInUnit === (page.of !== 'platform') ? page : null;
}

/** A command with its input as `npm run admin` takes it. */
export const commandLine = (operationId: string, input: unknown): string =>
  `npm run -s admin -- ${operationId} '${JSON.stringify(input).replaceAll("'", "'\\''")}'`;
