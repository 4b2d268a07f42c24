import { describe, expect, test } from 'bun:test';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { SlidingWindow } from '../../../src/lib/sliding-window.ts';

/** Calls `use` `count` times and returns how often it was allowed. */
const allowedOf = (count: number, use: (index: number) => boolean) =>
  Array.from({ length: count }, (_, index) => use(index)).filter(Boolean).length;

describe('a sliding window', () => {
  test('allows a full burst and refuses the next use', () => {
    const window = new SlidingWindow(120);
    expect(allowedOf(120, () => window.take('a', 0).allowed)).toBe(120);
    expect(window.take('a', 0)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
  });

  test('frees a use exactly 60 seconds later, not a microsecond earlier', () => {
    const window = new SlidingWindow(2);
    window.take('a', 0);
    window.take('a', SECOND);
    expect(window.take('a', MINUTE - 1).allowed).toBe(false);
    expect(window.take('a', MINUTE).allowed).toBe(true);
    expect(window.take('a', MINUTE).allowed).toBe(false);
    expect(window.take('a', MINUTE + SECOND).allowed).toBe(true);
  });

  test('never allows more than its limit in any 60 seconds, also across minute boundaries', () => {
    const window = new SlidingWindow(30);
    const allowed: number[] = [];
    for (let now = 0; now < 10 * MINUTE; now += 700_001) if (window.take('a', now).allowed) allowed.push(now);
    for (const start of allowed) {
      expect(allowed.filter((at) => at >= start && at < start + MINUTE).length).toBeLessThanOrEqual(30);
    }
    expect(allowed.length).toBeGreaterThanOrEqual(300);
  });

  test('does not count refused uses', () => {
    const window = new SlidingWindow(1);
    window.take('a', 0);
    for (let now = SECOND; now < MINUTE; now += SECOND) expect(window.take('a', now).allowed).toBe(false);
    expect(window.take('a', MINUTE).allowed).toBe(true);
  });

  test('returns the remaining uses and the seconds until the oldest use leaves, rounded up', () => {
    const window = new SlidingWindow(3);
    expect(window.take('a', 0)).toEqual({ allowed: true, remaining: 2, resetSeconds: 60 });
    expect(window.take('a', 10 * SECOND + 1)).toEqual({ allowed: true, remaining: 1, resetSeconds: 50 });
    expect(window.take('a', 59 * SECOND + 1)).toEqual({ allowed: true, remaining: 0, resetSeconds: 1 });
    expect(window.take('a', 59 * SECOND + 999_999)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
  });

  test('allows one use again after `resetSeconds`', () => {
    const window = new SlidingWindow(2);
    window.take('a', 123_456);
    window.take('a', 30 * SECOND);
    const { resetSeconds } = window.take('a', 40 * SECOND);
    expect(window.take('a', (40 + resetSeconds) * SECOND).allowed).toBe(true);
    expect(window.take('a', (40 + resetSeconds) * SECOND).allowed).toBe(false);
  });

  test('peek counts no use', () => {
    const window = new SlidingWindow(1);
    expect(allowedOf(10, () => window.peek('a', 0).allowed)).toBe(10);
    expect(window.peek('a', 0)).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
    window.take('a', 0);
    expect(window.peek('a', SECOND)).toEqual({ allowed: false, remaining: 0, resetSeconds: 59 });
    expect(window.peek('a', MINUTE).allowed).toBe(true);
  });

  test('counts each name separately', () => {
    const window = new SlidingWindow(1);
    expect([window.take('a', 0).allowed, window.take('b', 0).allowed]).toEqual([true, true]);
    expect([window.take('a', 1).allowed, window.take('b', 1).allowed]).toEqual([false, false]);
  });

  test('accepts names of built-in object properties', () => {
    const window = new SlidingWindow(1);
    for (const name of ['__proto__', 'constructor', '']) {
      expect([window.take(name, 0).allowed, window.take(name, 0).allowed]).toEqual([true, false]);
    }
  });

  test('stays exact over thousands of uses and for names that it dropped', () => {
    const window = new SlidingWindow(100);
    for (let minute = 0; minute < 50; minute++) {
      expect(allowedOf(150, (index) => window.take('a', minute * MINUTE + index).allowed)).toBe(100);
    }
    expect(window.take('b', 100 * MINUTE).remaining).toBe(99);
    expect(window.take('a', 200 * MINUTE).remaining).toBe(99);
    expect(window.take('a', 200 * MINUTE + 1).remaining).toBe(98);
  });
});

describe('a sliding window with a custom span', () => {
  test('frees a use after the span and returns the remaining seconds', () => {
    const window = new SlidingWindow(1, 10 * MINUTE);
    window.take('a', 0);
    expect(window.take('a', MINUTE)).toEqual({ allowed: false, remaining: 0, resetSeconds: 540 });
    expect(window.take('a', 10 * MINUTE - 1).allowed).toBe(false);
    expect(window.take('a', 10 * MINUTE).allowed).toBe(true);
  });
});

describe('refund', () => {
  test('removes a use, but never more than were counted', () => {
    const window = new SlidingWindow(2);
    window.take('a', 0);
    for (let count = 0; count < 3; count++) window.refund('a');
    window.refund('b');
    expect(window.peek('a', 0).remaining).toBe(2);
    expect(allowedOf(3, () => window.take('a', 1).allowed)).toBe(2);
  });
});
