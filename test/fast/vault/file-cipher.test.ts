import { describe, expect, test } from 'bun:test';
import { freeBuffer } from '../../../src/lib/free-buffer.ts';
import { FileSealer, openFile, sealedSize } from '../../../src/vault/file-cipher.ts';
import { UnreadableRecordError } from '../../../src/vault/vault.ts';

const CHUNK = 65_536;
const SEALED_CHUNK = CHUNK + 16;
const SIZES = [
  0,
  1,
  15,
  CHUNK - 1,
  CHUNK,
  CHUNK + 1,
  2 * CHUNK,
  2 * CHUNK + 1,
  3 * CHUNK - 1,
  200_000,
  4 * CHUNK,
  4 * CHUNK + 1,
];

const bytesOf = (size: number) => Buffer.alloc(size, crypto.getRandomValues(new Uint8Array(997)));

function cut(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
}

function seal(pieces: readonly Uint8Array[]): Readonly<{ key: Uint8Array; sealed: Buffer }> {
  const sealer = new FileSealer();
  const copyAll = (sealed: readonly Uint8Array[]) => sealed.map((each) => Buffer.from(each));
  const sealed = pieces.flatMap((piece) => Array.from(sealer.push(piece), copyAll).flat());
  return { key: sealer.key, sealed: Buffer.concat([...sealed, ...copyAll(sealer.finish())]) };
}

async function* stream(pieces: readonly Buffer[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

const open = async (key: Uint8Array, pieces: readonly Buffer[]) =>
  Buffer.concat(await Array.fromAsync(openFile(key, stream(pieces))));

const refused = (key: Uint8Array, sealed: Buffer) =>
  expect(open(key, cut(sealed, 10_000))).rejects.toBeInstanceOf(UnreadableRecordError);

describe.each(SIZES)('a file of %i bytes', (size) => {
  const bytes = bytesOf(size);

  test('round-trips with any chunking of plaintext and ciphertext', async () => {
    for (const length of [997, 16_384, CHUNK - 1, CHUNK, CHUNK + 1, 150_000]) {
      const { key, sealed } = seal(cut(bytes, length));
      expect(sealed.length).toBe(sealedSize(size));
      for (const again of [1_009, CHUNK, SEALED_CHUNK, sealed.length]) {
        expect((await open(key, cut(sealed, again))).equals(bytes)).toBe(true);
      }
    }
  });

  test('contains no plaintext when sealed', () => {
    const { sealed } = seal([bytes]);
    if (size >= 15) expect(sealed.includes(bytes.subarray(0, 15))).toBe(false);
  });

  test('is sealed differently each time', () => {
    const [once, again] = [seal([bytes]), seal([bytes])];
    expect(once.sealed.equals(again.sealed)).toBe(false);
    expect(Buffer.from(once.key).equals(again.key)).toBe(false);
  });
});

test('files that are sealed side by side keep apart', async () => {
  const files = [300_000, 5, CHUNK, 140_000, 2 * CHUNK + 7].map(bytesOf);
  // The second round reuses the buffers of the first.
  for (const _ of ['first', 'second']) {
    const sealers = files.map((bytes) => ({
      sealer: new FileSealer(),
      rest: cut(bytes, 9_973),
      sealed: [] as Buffer[],
    }));
    const keep = (sealed: Buffer[], pieces: readonly Uint8Array[]) => {
      for (const piece of pieces) sealed.push(Buffer.from(piece));
      for (const piece of pieces) freeBuffer(piece);
      expect(pieces.map(({ length }) => length)).toEqual(pieces.map(() => 0));
    };
    while (sealers.some(({ rest }) => rest.length > 0)) {
      for (const { sealer, rest, sealed } of sealers) {
        for (const pieces of sealer.push(rest.shift() ?? Buffer.alloc(0))) keep(sealed, pieces);
      }
    }
    for (const { sealer, sealed } of sealers.toReversed()) keep(sealed, sealer.finish());
    for (const [index, { sealer, sealed }] of sealers.entries()) {
      expect((await open(sealer.key, sealed)).equals(files[index] ?? Buffer.alloc(0))).toBe(true);
    }
  }
});

test('a file is sealed and opened byte by byte', async () => {
  const bytes = bytesOf(CHUNK + 3);
  const { key, sealed } = seal(cut(bytes, 1));
  expect((await open(key, cut(sealed, 1))).equals(bytes)).toBe(true);
});

describe('a sealed file is refused', () => {
  const { key, sealed } = seal([bytesOf(200_000)]);
  const chunks = cut(sealed.subarray(1), SEALED_CHUNK);
  const joined = (order: readonly number[]) =>
    Buffer.concat([sealed.subarray(0, 1), ...order.map((n) => chunks[n] ?? Buffer.alloc(0))]);

  test('with any single bit flipped', async () => {
    const places = [0, 1, 16, CHUNK, CHUNK + 1, CHUNK + 16, SEALED_CHUNK + 1, 150_000, sealed.length - 1];
    for (const at of places) {
      for (const bit of [1, 128]) {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(at) ^ bit, at);
        await refused(key, changed);
      }
    }
  });

  test('truncated anywhere', async () => {
    const ends = [0, 1, 2, 16, 17, CHUNK, SEALED_CHUNK, 1 + SEALED_CHUNK, 1 + 2 * SEALED_CHUNK, sealed.length - 1];
    for (const end of ends) await refused(key, sealed.subarray(0, end));
  });

  test('with data appended', async () => {
    for (const more of [Buffer.alloc(1), Buffer.alloc(16), chunks[3], sealed]) {
      await refused(key, Buffer.concat([sealed, more ?? Buffer.alloc(0)]));
    }
  });

  test('with chunks reordered, missing or repeated', async () => {
    expect((await open(key, [joined([0, 1, 2, 3])])).length).toBe(200_000);
    for (const order of [[1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3], [1, 2, 3], [0, 1, 1, 2, 3], [0, 1, 2, 3, 3], [3]]) {
      await refused(key, joined(order));
    }
  });

  test("with another file's key or chunk", async () => {
    const other = seal([bytesOf(200_000)]);
    await refused(other.key, sealed);
    const foreign = cut(other.sealed.subarray(1), SEALED_CHUNK)[1] ?? Buffer.alloc(0);
    await refused(key, Buffer.concat([sealed.subarray(0, 1), chunks[0] ?? foreign, foreign, ...chunks.slice(2)]));
  });

  test('only from the modified chunk on; earlier chunks are authentic', async () => {
    const bytes = bytesOf(3 * CHUNK);
    const own = seal([bytes]);
    own.sealed.writeUInt8(own.sealed.readUInt8(2 * SEALED_CHUNK + 9) ^ 1, 2 * SEALED_CHUNK + 9);
    const read: Buffer[] = [];
    const readAll = async () => {
      for await (const piece of openFile(own.key, stream([own.sealed]))) read.push(Buffer.from(piece));
    };
    await expect(readAll()).rejects.toBeInstanceOf(UnreadableRecordError);
    await readAll().catch(() => {});
    expect(Buffer.concat(read.slice(0, 2)).equals(bytes.subarray(0, 2 * CHUNK))).toBe(true);
  });
});
