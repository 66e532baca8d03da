const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

/** PostgreSQL writes up to 1 GiB of log before it deletes any. */
const minFreeBytes = { newData: 1.5 * GiB, existingData: 256 * MiB };
const maxStreamBytes = 2 * GiB;

export type StreamSize =
  | { outcome: 'chosen'; bytes: number; isReduced: boolean }
  | { outcome: 'too_small'; neededBytes: number };

/**
 * How much of a disk with `freeBytes` the messages between the processes may take: a quarter, and
 * the usual size at most.
 */
export function decideStreamSize({
  freeBytes,
  hasData,
}: {
  freeBytes: number;
  hasData: boolean;
}): StreamSize {
  const neededBytes = hasData ? minFreeBytes.existingData : minFreeBytes.newData;
  if (freeBytes < neededBytes) return { outcome: 'too_small', neededBytes };
  const bytes = Math.min(maxStreamBytes, Math.floor(freeBytes / 4 / MiB) * MiB);
  return { outcome: 'chosen', bytes, isReduced: bytes < maxStreamBytes };
}
