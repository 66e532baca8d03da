import { useRef, useState } from 'react';
import { useSendOnly, type Write } from './actions.ts';
import { useReload } from './api.queries.ts';
import { repeatLimited } from './repeat-limited.ts';

/** One write of many, for one subject: a person, a seat. */
export interface Job<Subject> {
  subject: Subject;
  write: Write;
}

/** The result of a job: the record afterwards, or why nothing was changed. */
export type JobResult<Subject, Changed> =
  | { subject: Subject; changed: Changed; error: null }
  | { subject: Subject; changed: null; error: Error };

export interface BulkRun<Subject, Changed> {
  total: number;
  results: readonly JobResult<Subject, Changed>[];
  isRunning: boolean;
}

/** Sends writes one after the other, until the last one or until it is stopped. */
export function useBulkRun<Subject, Changed>() {
  const send = useSendOnly();
  const reload = useReload();
  const stopping = useRef(new AbortController());
  const [current, setCurrent] = useState<BulkRun<Subject, Changed> | null>(null);

  async function run(jobs: readonly Job<Subject>[]): Promise<void> {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    setCurrent({ total: jobs.length, results: [], isRunning: true });
    for (const { subject, write } of jobs) {
      if (signal.aborted) break;
      const result = await repeatLimited(() => send<Changed>(write), signal).then(
        (changed): JobResult<Subject, Changed> => ({ subject, changed, error: null }),
        (error: Error): JobResult<Subject, Changed> => ({ subject, changed: null, error }),
      );
      // The pause before a repetition was stopped: nothing has happened to this subject.
      if (signal.aborted && result.error === signal.reason) break;
      setCurrent((before) => before && { ...before, results: [...before.results, result] });
    }
    // The next run is planned over what this one has changed.
    await reload();
    setCurrent((before) => before && { ...before, isRunning: false });
  }

  return {
    current,
    run,
    stop: () => stopping.current.abort(),
    close: () => setCurrent(null),
  };
}
