import { describe, expect, test } from 'vitest';
import { createLargeBodies } from './large-bodies.ts';

const large = 1024 * 1024;
const small = 1024;

const blockFor = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('large bodies', () => {
  test('run one at a time, in the order of arrival', async () => {
    const bodies = createLargeBodies();
    const done: number[] = [];
    await Promise.all([1, 2, 3].map((n) => bodies.turn(large).then(() => done.push(n))));
    expect(done).toEqual([1, 2, 3]);
  });

  test('let small bodies run between them', async () => {
    const bodies = createLargeBodies();
    const done: string[] = [];
    const work = [1, 2].map(async (n) => {
      await bodies.turn(large);
      blockFor(20);
      done.push(`large ${n}`);
    });
    await work[0];
    await bodies.turn(small);
    done.push('small');
    await work[1];
    expect(done).toEqual(['large 1', 'small', 'large 2']);
  });

  test('are followed by a pause of three times their duration', async () => {
    const bodies = createLargeBodies();
    const done: string[] = [];
    const first = bodies.turn(large).then(() => {
      // Due in the third of the three durations of the pause.
      setTimeout(() => done.push('others'), 170);
      blockFor(50);
    });
    await Promise.all([first, bodies.turn(large).then(() => done.push('second'))]);
    expect(done).toEqual(['others', 'second']);
  });

  test('are rejected with 503 when too many wait, and accepted again later', async () => {
    const bodies = createLargeBodies();
    const accepted = Promise.all(Array.from({ length: 17 }, () => bodies.turn(large)));
    await expect(bodies.turn(large)).rejects.toMatchObject({ code: 503 });
    await accepted;
    await bodies.turn(large);
  });
});
