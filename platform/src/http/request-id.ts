import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 10;
const randomLength = 16;

const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * A new request id such as `req_01k8…`. It has the form of every other id and sorts by `now` in
 * milliseconds, but has 80 random bits and no counter. Every request needs one, and the ids of
 * records cost several times as much.
 */
export function newRequestId(now: Date): string {
  let time = '';
  for (let rest = now.getTime(); time.length < timeLength; rest = Math.floor(rest / 32)) {
    time = alphabet[rest % 32] + time;
  }
  if (used + randomLength > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let random = '';
  for (const end = used + randomLength; used < end; used++) {
    random += alphabet[(pool[used] ?? 0) % 32];
  }
  return `req_${time}${random}`;
}
