import { useRef, useState } from 'react';
import { useSendOnly, type Write } from '../../api/actions.ts';
import { useReload } from '../../api/api.queries.ts';
import type { Registration } from '../../api/records.ts';
import { repeatLimited } from '../../api/repeat-limited.ts';

/** One write of many, for one person. */
export interface Job {
  person: Registration;
  write: Write;
}

/** The result of a job: the person afterwards, or why nothing was changed. */
export type JobResult =
  | { person: Registration; changed: Registration; error: null }
  | { person: Registration; changed: null; error: Error };

export interface BulkRun {
  total: number;
  results: readonly JobResult[];
  isRunning: boolean;
}

/** Sends writes one after the other, until the last one or until it is stopped. */
export function useBulkRun() {
  const send = useSendOnly();
  const reload = useReload();
  const stopping = useRef(new AbortController());
  const [current, setCurrent] = useState<BulkRun | null>(null);

  async function run(jobs: readonly Job[]): Promise<void> {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    setCurrent({ total: jobs.length, results: [], isRunning: true });
    for (const { person, write } of jobs) {
      if (signal.aborted) break;
      const result = await repeatLimited(() => send<Registration>(write), signal).then(
        (changed): JobResult => ({ person, changed, error: null }),
        (error: Error): JobResult => ({ person, changed: null, error }),
      );
      // The pause before a repetition was stopped: nothing has happened to this person.
      if (signal.aborted && result.error === signal.reason) break;
      setCurrent((before) => before && { ...before, results: [...before.results, result] });
    }
    setCurrent((before) => before && { ...before, isRunning: false });
    await reload();
  }

  return {
    current,
    run,
    stop: () => stopping.current.abort(),
    close: () => setCurrent(null),
  };
}
