import { usePerks, useSessions, useSpeakers, useVenues } from '../../api/event-data.ts';
import type { Perk, Session, Speaker, Venue } from '../../api/records.ts';

export interface Program {
  sessions: readonly Session[];
  speakers: readonly Speaker[];
  venues: readonly Venue[];
  perks: readonly Perk[];
}

/** The whole program, or what is wrong with reading it. */
export function useProgram(): { program: Program | null; error: Error | null; retry: () => void } {
  const sessions = useSessions();
  const speakers = useSpeakers();
  const venues = useVenues();
  const perks = usePerks();
  const reads = [sessions, speakers, venues, perks];
  const isRead = sessions.data && speakers.data && venues.data && perks.data;
  return {
    program: isRead
      ? {
          sessions: sessions.data.sessions,
          speakers: speakers.data.speakers,
          // The API lists them newest first.
          venues: venues.data.venues.toReversed(),
          perks: perks.data.perks,
        }
      : null,
    error: reads.find(({ error, data }) => error && !data)?.error ?? null,
    retry: () => {
      for (const read of reads) if (read.error) void read.refetch();
    },
  };
}
