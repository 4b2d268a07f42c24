const EVERY_MS = 20;

/** An ordinary visitor during the run: sends one small post after another. */
export class PlainPosts {
  readonly #times: number[] = [];
  readonly #done: Promise<void>;
  #isStopped = false;

  constructor(
    private readonly url: string,
    private readonly formId: string,
  ) {
    this.#done = this.#run();
  }

  /** Stops and returns the response times in milliseconds. Throws if a post was not accepted. */
  async stop(): Promise<readonly number[]> {
    this.#isStopped = true;
    await this.#done;
    return this.#times;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      const body = new URLSearchParams({ name: 'Ada', message: 'Hello' });
      const answer = await fetch(`${this.url}/v1/forms/${this.formId}/submissions`, { method: 'POST', body });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`an ordinary post was answered with ${answer.status}`);
      this.#times.push(performance.now() - began);
      // Pace the posts; no assertion depends on it.
      await Bun.sleep(EVERY_MS);
    }
  }
}
