/** Program that reads all pages of a form with parallel readers and prints the number of submissions read. */
const [url = '', secret = '', readers = '1'] = Bun.argv.slice(2);

/** The part of a page that is kept. */
type Page = Readonly<{ data: Readonly<{ items: readonly unknown[]; next_cursor: string | null }> }>;

async function readPages(): Promise<number> {
  let read = 0;
  for (let before: string | null = ''; before !== null; ) {
    const answer = await fetch(`${url}?limit=100${before && `&before=${before}`}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    const { data } = (await answer.json()) as Page;
    read += data.items.length;
    before = data.next_cursor;
  }
  return read;
}

const counts = await Promise.all(Array.from({ length: Number(readers) }, readPages));
process.stdout.write(String(counts.reduce((sum, count) => sum + count, 0)));

export {};
