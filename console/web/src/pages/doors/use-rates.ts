import { useEffect, useRef, useState } from 'react';
import type { DoorCount } from '../../api/records.ts';
import { now } from '../../format/clock.ts';
import { addSample, perMinute, type Sample } from './rates.ts';

const tickMs = 5000;

/** The check-ins per minute of each door since the page was opened. They are computed again every five seconds. */
export function useRates(doors: readonly DoorCount[] | undefined): Record<string, number[]> {
  const samples = useRef<Sample[]>([]);
  const [rates, setRates] = useState<Record<string, number[]>>({});
  useEffect(() => {
    if (!doors) return;
    const sample = () => {
      const at = now().getTime();
      samples.current = addSample(samples.current, doors, at);
      const ofDoor = ({ subjectId }: DoorCount) =>
        [subjectId, perMinute(samples.current, subjectId, at)] as const;
      setRates(Object.fromEntries(doors.map(ofDoor)));
    };
    sample();
    const timer = setInterval(sample, tickMs);
    return () => clearInterval(timer);
  }, [doors]);
  return rates;
}
