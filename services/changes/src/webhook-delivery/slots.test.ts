import { describe, expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const never = () => {};

describe('slots', () => {
  test('let an endpoint begin at most eight requests', () => {
    const slots = createSlots();
    expect(slots.allowance('one', 0, never)).toBe(8);
    expect(slots.allowance('one', 5, never)).toBe(3);
    expect(slots.allowance('one', 8, never)).toBe(0);
  });

  test('leave three quarters of the process to the other units', () => {
    const slots = createSlots(256);
    for (let n = 0; n < 64; n++) slots.take('one');
    expect(slots.allowance('one', 0, never)).toBe(0);
    expect(slots.allowance('two', 0, never)).toBe(8);
  });

  test('shrink the share of each endpoint while the process fills', () => {
    const slots = createSlots(256);
    for (let n = 0; n < 240; n++) slots.take(`unit ${n}`);
    expect(slots.allowance('one', 0, never)).toBe(1);
    for (let n = 0; n < 16; n++) slots.take(`unit ${n}`);
    expect(slots.allowance('one', 0, never)).toBe(0);
  });

  test('wake the first waiting endpoint that may begin, once', () => {
    const slots = createSlots(70);
    const woken: string[] = [];
    const releases = Array.from({ length: 64 }, () => slots.take('one'));
    const other = Array.from({ length: 6 }, (_, n) => slots.take(`unit ${n}`));
    slots.allowance('one', 0, () => woken.push('one'));
    slots.allowance('two', 0, () => woken.push('two'));
    other[0]?.();
    expect(woken).toEqual(['two']);
    releases[0]?.();
    expect(woken).toEqual(['two', 'one']);
    releases[1]?.();
    expect(woken).toEqual(['two', 'one']);
  });

  test('are released once, however often the result is called', () => {
    const slots = createSlots();
    const release = slots.take('one');
    slots.take('one');
    release();
    release();
    expect(slots.used()).toBe(1);
  });

  test('know how long the oldest request has been in flight', async () => {
    const slots = createSlots();
    expect(slots.oldestMs()).toBe(0);
    const first = slots.take('one');
    await expect.poll(slots.oldestMs).toBeGreaterThan(5);
    slots.take('two');
    const before = slots.oldestMs();
    first();
    expect(slots.oldestMs()).toBeLessThan(before);
  });
});
