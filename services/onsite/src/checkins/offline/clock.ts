import { timeouts } from '../../timeouts.ts';

const toleranceMs = timeouts.scanToleranceMs;

/** When a scan occurred, by the clock of the server, and how far that may be wrong. */
export interface ScanTime {
  occurredAt: Date;
  clockUncertaintyMs: number;
}

/**
 * When a scan occurred: the time at which its batch arrived, minus the time that has passed since
 * the scan by the clock of the device. Only differences of that clock count, so a clock that is
 * five minutes off does no harm. A scan in the future of the device occurred when its batch
 * arrived.
 */
export function occurredAtOf(times: { scannedAt: Date; sentAt: Date; receivedAt: Date }): Date {
  const { scannedAt, sentAt, receivedAt } = times;
  const ageMs = Math.max(0, sentAt.getTime() - scannedAt.getTime());
  return new Date(receivedAt.getTime() - ageMs);
}

/** Which of two scans was first. `unknown` while their clocks cannot tell. */
export function firstOf(scan: ScanTime, other: ScanTime): 'this' | 'other' | 'unknown' {
  if (isSurelyBefore(other, scan)) return 'other';
  return isSurelyBefore(scan, other) ? 'this' : 'unknown';
}

const isSurelyBefore = (one: ScanTime, other: ScanTime): boolean => latest(one) < earliest(other);

const latest = ({ occurredAt, clockUncertaintyMs }: ScanTime): number =>
  occurredAt.getTime() + toleranceMs + clockUncertaintyMs;

const earliest = ({ occurredAt, clockUncertaintyMs }: ScanTime): number =>
  occurredAt.getTime() - toleranceMs - clockUncertaintyMs;
