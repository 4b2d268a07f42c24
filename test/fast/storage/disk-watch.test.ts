import { describe, expect, test } from 'bun:test';
import { SECOND } from '../../../src/lib/clock.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { DiskWatch } from '../../../src/storage/disk-watch.ts';

/** A watch over a disk whose room and time the test sets; `looks` counts how often the room was asked for. */
function watch(minFreeBytes: number) {
  const lines: string[] = [];
  const world = { free: 1_000, now: 0, looks: 0, lines };
  const disk = new DiskWatch({
    readFreeBytes: () => {
      world.looks++;
      return world.free;
    },
    minFreeBytes,
    monotonic: () => world.now,
    log: createLogger({ level: 'info', forPerson: false, write: (line) => lines.push(line) }),
  });
  return { disk, world };
}

const UNAVAILABLE = expect.objectContaining({ code: 'storage_unavailable', headers: { 'Retry-After': '60' } });

function refusal(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
}

describe('room', () => {
  test('is given down to the floor, and not below', () => {
    const { disk } = watch(100);
    disk.reserve(900);
    expect(refusal(() => watch(100).disk.reserve(901))).toEqual(UNAVAILABLE);
  });

  test('is looked at once a second, and what was given meanwhile counts', () => {
    const { disk, world } = watch(100);
    for (let n = 0; n < 9; n++) disk.reserve(100);
    expect(world.looks).toBe(1);
    world.free = 100;
    expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
    world.free = 1_000;
    disk.reserve(100);
    world.free = 50;
    world.now += 2 * SECOND;
    expect(refusal(() => disk.reserve(0))).toEqual(UNAVAILABLE);
  });

  test('that is gone and comes back is told once each', () => {
    const { disk, world } = watch(100);
    world.free = 10;
    for (let n = 0; n < 3; n++) expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
    world.free = 1_000;
    for (let n = 0; n < 3; n++) disk.reserve(1);
    expect(world.lines.map((line) => JSON.parse(line).level)).toEqual(['error', 'info']);
  });

  test('is not asked for where there is no floor', () => {
    const { disk, world } = watch(0);
    world.free = 0;
    disk.reserve(1_000_000);
    expect(world.looks).toBe(0);
  });
});

test('after a sync that failed nothing is taken, whatever room there is, and it is told once', async () => {
  const { disk, world } = watch(100);
  disk.requireHealthy();
  disk.reportSyncFailure('database', 'SQLITE_IOERR_FSYNC');
  disk.reportSyncFailure('file', 'EIO');
  await disk.failure;
  expect(disk.hasFailed).toBe(true);
  expect(refusal(() => disk.requireHealthy())).toEqual(UNAVAILABLE);
  expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
  expect(world.lines).toHaveLength(1);
});
