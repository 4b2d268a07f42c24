import type { Path, SetupDocument } from './document.ts';

/** An entry of the file with its place. */
export type Located<Entry> = Readonly<{ entry: Entry; path: Path }>;

/** An entry of the file and the stored object that it describes; null for a new one. */
export type Matched<Entry, Item> = Located<Entry> & Readonly<{ item: Item | null }>;

type Named = Readonly<{ id: string; name: string }>;

/**
 * Finds the object of each entry by id, or without one by name among those of `named`. One with an id of `newIds` has none
 * yet. Throws `InvalidFileError` for unknown ids, ambiguous names and objects that two entries describe.
 */
export function match<Place extends Located<Readonly<{ id?: string; name: string }>>, Item extends Named>(
  document: SetupDocument,
  newIds: ReadonlySet<string>,
  places: readonly Place[],
  noun: 'workspace' | 'form',
  all: readonly Item[],
  named: (place: Place) => readonly Item[],
): Array<Place & Readonly<{ item: Item | null }>> {
  const byId = new Map(all.map((item) => [item.id, item]));
  const taken = new Set<string>();
  const take = (path: Path, key: string) => {
    if (taken.has(key)) throw document.error(path, `This ${noun} is in the file twice. Remove one entry.`);
    taken.add(key);
  };
  for (const place of places) {
    const { entry, path } = place;
    if (entry.id === undefined) continue;
    const isNew = newIds.has(entry.id) && named(place).every(({ name }) => name !== entry.name.trim());
    if (!byId.has(entry.id) && !isNew) {
      const message = `There is no ${noun} with this id in this team. Correct the id, or remove it to find the ${noun} by name.`;
      throw document.error([...path, 'id'], message);
    }
    take([...path, 'id'], entry.id);
  }
  return places.map((place) => {
    const { entry, path } = place;
    if (entry.id !== undefined) return { ...place, item: byId.get(entry.id) ?? null };
    const name = entry.name.trim();
    take([...path, 'name'], `${path.slice(0, -1).join('/')} ${name}`);
    const [item = null, other] = named(place).filter((item) => item.name === name && !taken.has(item.id));
    if (other) throw document.error([...path, 'name'], `Several ${noun}s have this name. Add the id of one.`);
    return { ...place, item };
  });
}
