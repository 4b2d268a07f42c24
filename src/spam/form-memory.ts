import type { Form } from '../domain/forms/form.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { DAY, type Micros, SECOND } from '../lib/clock.ts';
import { parseHttpUrl } from '../lib/http-url.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { RecentValues } from '../lib/recent-values.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Store } from '../storage/store.ts';
import { openOr, openPayload } from '../vault/open-submission.ts';
import type { Vault } from '../vault/vault.ts';
import { getLinks, isShortener } from './links.ts';
import { fingerprint } from './sentences.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { extractText, normalizedWords, type SubmittedText } from './text.ts';

/** Time that flagged submissions are remembered, unless they are deleted or marked as not spam before. */
const MAX_AGE = 180 * DAY;
/** Flagged submissions of a form that are looked at, newest first, and groups of words that are remembered of them. */
const MAX_SUBMISSIONS = 1_000;
const MAX_ENTRIES = 10_000;
/** Submissions in memory at once while a form is read, and the size up to which a payload is read. */
const PAGE_SIZE = 10;
const MAX_PAYLOAD_BYTES = 64 * 1024;
/** Forms in memory. Each takes up to half a megabyte. */
const MAX_FORMS = 64;
/** Time until the flagged submissions of a form are listed again. */
const FRESH = SECOND;

const GROUP = 3;
/** Groups of words from which an equal text is no coincidence, and the share of the smaller text that must be equal. */
const MIN_GROUPS = 4;
const MIN_SHARE = 0.6;
const MAX_GROUPS = 200;
const MAX_HOSTS = 5;

/** Hosts of pages by very many people, below which none tells a sender. */
const LARGE_HOSTS =
  /(?:^|\.)(?:google\.[a-z.]{2,6}|youtube\.com|youtu\.be|facebook\.com|fb\.me|instagram\.com|linkedin\.com|twitter\.com|x\.com|tiktok\.com|whatsapp\.com|telegram\.(?:org|me)|pinterest\.[a-z.]{2,6}|reddit\.com|github\.com|gitlab\.com|wikipedia\.org|amazon\.[a-z.]{2,6}|ebay\.[a-z.]{2,6}|etsy\.com|apple\.com|microsoft\.com|office\.com|live\.com|dropbox\.com|wetransfer\.com|we\.tl|paypal\.com|paypal\.me|booking\.com|airbnb\.[a-z.]{2,6}|vimeo\.com|medium\.com|calendly\.com|zoom\.us|canva\.com|trustpilot\.com|yelp\.com|spotify\.com|goo\.gl|example\.(?:com|org|net))$/;

/** Marks by which a text is recognized: keyed hashes of its groups of three words, and of the hosts of its links. */
type Traits = Readonly<{ groups: ReadonlySet<number>; hosts: ReadonlySet<number> }>;

/** The memory of what was flagged on one form. */
export class FormMemory {
  /** Numbers of the texts that have a group of words. */
  readonly #texts = new Map<number, number[]>();
  readonly #sizes: number[] = [];
  readonly #hosts = new Set<number>();

  constructor(
    private readonly seed: number,
    /** The remembered submissions, by their time. */
    readonly flagged: ReadonlyMap<Micros, Traits>,
  ) {
    for (const { groups, hosts } of flagged.values()) {
      const text = this.#sizes.push(groups.size) - 1;
      for (const group of groups) this.#texts.getOrInsertComputed(group, () => []).push(text);
      for (const host of hosts) this.#hosts.add(host);
    }
  }

  /** Returns the signal of a submission that nearly repeats a flagged one, or links to the same place. */
  signals(submitted: SubmittedText, form: Form): Signal[] {
    if (this.#sizes.length === 0) return [];
    const { groups, hosts } = readTraits(submitted, form, this.seed);
    if (this.#isRepeat(groups))
      return [{ weight: SPAM_THRESHOLD, reason: 'nearly the same text as earlier spam here' }];
    const isLinked = hosts.values().some((host) => this.#hosts.has(host));
    return isLinked ? [{ weight: SPAM_THRESHOLD, reason: 'a link to the same place as earlier spam here' }] : [];
  }

  #isRepeat(groups: ReadonlySet<number>): boolean {
    if (groups.size < MIN_GROUPS) return false;
    const equal = new Map<number, number>();
    for (const group of groups) {
      for (const text of this.#texts.get(group) ?? []) {
        const count = (equal.get(text) ?? 0) + 1;
        if (count >= Math.max(MIN_GROUPS, MIN_SHARE * Math.min(groups.size, this.#sizes[text] ?? 0))) return true;
        equal.set(text, count);
      }
    }
    return false;
  }
}

/**
 * The memories of the forms that received posts last. Each is made of the flagged submissions that are stored, so it
 * outlives a restart, and ends with the submission: deleted, erased, or marked as not spam.
 */
export class FormMemories {
  readonly #memories = new RecentValues<FormMemory>(FRESH, MAX_FORMS);
  /** A secret of this process, so that hashes can't be computed elsewhere. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

  constructor(private readonly deps: Readonly<{ store: Store; vault: Vault }>) {}

  /** Returns the memory of a form; a promise only if it has to be read. After an error the one before stays. */
  find(form: Form, now: Micros): FormMemory | Promise<FormMemory> {
    return this.#memories.find(form.id, now, async (previous) => {
      const before = (await previous) ?? new FormMemory(this.#seed, new Map());
      return this.#read(form, now, before).catch(() => before);
    });
  }

  /** Lets a form be read at its next post, after one that was flagged. */
  expire(formId: string): void {
    this.#memories.expire(formId);
  }

  /** Reads the flagged submissions that are new, and leaves out those that are gone. */
  async #read(form: Form, now: Micros, before: FormMemory): Promise<FormMemory> {
    const { store, vault } = this.deps;
    const selection = { formIds: [form.id], part: 'spam', from: now - MAX_AGE, until: null } as const;
    const times = await store.inbox.listTimes(selection, { before: Number.MAX_SAFE_INTEGER, limit: MAX_SUBMISSIONS });
    const present = new Set(times);
    const flagged = new Map([...before.flagged].filter(([at]) => present.has(at)));
    const added = times.filter((at) => !flagged.has(at));
    if (added.length === 0 && flagged.size === before.flagged.size) return before;
    let entries = flagged.values().reduce((sum, { groups }) => sum + groups.size, 0);
    for (let first = 0; first < added.length && entries < MAX_ENTRIES; first += PAGE_SIZE) {
      const page = await store.inbox.findSubmissionsAt(added.slice(first, first + PAGE_SIZE));
      const traits = await mapYielding(page, (submission) => this.#traitsOf(vault, submission, form));
      page.forEach(({ createdAt }, index) => {
        const one = traits[index] ?? NO_TRAITS;
        flagged.set(createdAt, one);
        entries += one.groups.size;
      });
      await yieldToEventLoop();
    }
    for (const at of added) if (!flagged.has(at)) flagged.set(at, NO_TRAITS);
    for (const oldest of [...flagged.keys()].sort((a, b) => a - b)) {
      if (entries <= MAX_ENTRIES) break;
      entries -= flagged.get(oldest)?.groups.size ?? 0;
      flagged.set(oldest, NO_TRAITS);
    }
    return new FormMemory(this.#seed, flagged);
  }

  #traitsOf(vault: Vault, submission: StoredSubmission, form: Form): Traits {
    if (submission.payload.length > MAX_PAYLOAD_BYTES) return NO_TRAITS;
    const payload = openOr(() => openPayload(vault, submission), null);
    return payload ? readTraits(extractText(payload), form, this.#seed) : NO_TRAITS;
  }
}

const NO_TRAITS: Traits = { groups: new Set(), hosts: new Set() };

function readTraits(submitted: SubmittedText, form: Form, seed: number): Traits {
  const words = normalizedWords(freeText(submitted, form))
    .trim()
    .split(' ', MAX_GROUPS + GROUP);
  const groups = new Set<number>();
  for (let at = 0; at + GROUP <= words.length; at++) {
    groups.add(fingerprint(words.slice(at, at + GROUP).join(' '), seed));
  }
  const own = new Set(form.allowedOrigins.map((origin) => new URL(origin).hostname));
  const hosts = new Set<number>();
  for (const link of getLinks(submitted).slice(0, MAX_HOSTS)) {
    const url = parseHttpUrl(link.startsWith('http') ? link : `http://${link}`);
    const host = url?.hostname.replace(/^www\./, '') ?? '';
    if (host === '' || own.has(url?.hostname ?? '') || LARGE_HOSTS.test(host) || isShortener(host)) continue;
    hosts.add(fingerprint(host, seed));
  }
  return { groups, hosts };
}

/** Returns the longest text that the visitor wrote: no choice of the form, whose texts are the same for everybody. */
function freeText({ fields }: SubmittedText, form: Form): string {
  const chosen = new Set(form.fields.filter(({ type }) => CHOICES.includes(type)).map(({ name }) => name));
  return fields.reduce(
    (longest, { name, text }) => (chosen.has(name) || text.length <= longest.length ? longest : text),
    '',
  );
}

const CHOICES = ['consent', 'checkbox', 'checkboxes', 'radio', 'select', 'hidden', 'rating'];
