/** A placeholder for the stamp in a cached page. Nobody sees it, so no text of a form can contain it. */
const PLACE = crypto.randomUUID();
/** Characters of all cached pages; beyond it, all are forgotten. */
const MAX_CACHED = 8 * 1024 * 1024;

type Cached = Readonly<{ version: number | bigint; text: string; headers: Headers }>;

/** Keeps the pages of hosted forms as rendered, because a form with many options takes a while. */
export class PageCache {
  readonly #pages = new Map<string, Cached>();
  #size = 0;

  /** Returns the page under `name` with this stamp. It is rendered by `render` if `content` has changed. */
  async respond(name: string, content: unknown, stamp: string, render: (stamp: string) => Response): Promise<Response> {
    const version = Bun.hash(JSON.stringify(content));
    let page = this.#pages.get(name);
    if (page?.version !== version) {
      const response = render(PLACE);
      page = { version, text: await response.text(), headers: response.headers };
      this.#keep(name, page);
    }
    const { text, headers } = page;
    return new Response(text.replace(PLACE, stamp), { headers: new Headers(headers) });
  }

  #keep(name: string, page: Cached): void {
    this.#size += page.text.length - (this.#pages.get(name)?.text.length ?? 0);
    if (this.#size > MAX_CACHED) {
      this.#pages.clear();
      this.#size = page.text.length;
    }
    this.#pages.set(name, page);
  }
}
