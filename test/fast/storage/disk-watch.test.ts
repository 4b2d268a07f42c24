import { describe, expect, test } from 'bun:test';
import { SECOND } from '../../../src/lib/clock.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { DiskWatch } from '../../../src/storage/disk-watch.ts';

/** Creates a watch with settable free space and time. `measurements` counts the reads of the free space. */
function createWatch(minFreeBytes: number) {
  const lines: string[] = [];
  const world = { free: 1_000, now: 0, measurements: 0, lines };
  const disk = new DiskWatch({
    readFreeBytes: () => {
      world.measurements++;
      return world.free;
    },
    minFreeBytes,
    monotonic: () => world.now,
    log: createLogger({ level: 'info', isPretty: false, write: (line) => lines.push(line) }),
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

describe('free space', () => {
  test('is reserved down to the minimum', () => {
    const { disk } = createWatch(100);
    disk.reserve(900);
    expect(refusal(() => createWatch(100).disk.reserve(901))).toEqual(UNAVAILABLE);
  });

  test('is measured once a second, minus the bytes reserved since', () => {
    const { disk, world } = createWatch(100);
    for (let n = 0; n < 9; n++) disk.reserve(100);
    expect(world.measurements).toBe(1);
    world.free = 100;
    expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
    world.free = 1_000;
    disk.reserve(100);
    world.free = 50;
    world.now += 2 * SECOND;
    expect(refusal(() => disk.reserve(0))).toEqual(UNAVAILABLE);
  });

  test('is logged once when it runs out and once when it is back', () => {
    const { disk, world } = createWatch(100);
    world.free = 10;
    for (let n = 0; n < 3; n++) expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
    world.free = 1_000;
    for (let n = 0; n < 3; n++) disk.reserve(1);
    expect(world.lines.map((line) => JSON.parse(line).level)).toEqual(['error', 'info']);
  });

  test('is logged when it runs out without a submission, once', () => {
    const { disk, world } = createWatch(100);
    disk.check();
    expect(world.lines).toEqual([]);
    world.free = 99;
    disk.check();
    disk.check();
    expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', free_bytes: 99 }]);
    world.free = 1_000;
    disk.check();
    expect(world.lines).toHaveLength(1);
    disk.reserve(1);
    expect(world.lines.map((line) => JSON.parse(line).level)).toEqual(['error', 'info']);
  });

  test('is not measured without a minimum', () => {
    const { disk, world } = createWatch(0);
    world.free = 0;
    disk.reserve(1_000_000);
    disk.check();
    expect(world.measurements).toBe(0);
  });
});

test('after a failed sync all writes are refused and the failure is logged once', async () => {
  const { disk, world } = createWatch(100);
  disk.requireHealthy();
  disk.reportSyncFailure('database', 'SQLITE_IOERR_FSYNC');
  disk.reportSyncFailure('file', 'EIO');
  await disk.failure;
  expect(disk.hasFailed).toBe(true);
  expect(refusal(() => disk.requireHealthy())).toEqual(UNAVAILABLE);
  expect(refusal(() => disk.reserve(1))).toEqual(UNAVAILABLE);
  expect(world.lines).toHaveLength(1);
});
