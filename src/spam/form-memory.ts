import type { Form } from '../domain/forms/form.ts';
import type { Payload, StoredSubmission } from '../domain/submissions/submission.ts';
import { DAY, type Micros, SECOND } from '../lib/clock.ts';
import { parseHttpUrl } from '../lib/http-url.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { RecentValues } from '../lib/recent-values.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Store } from '../storage/store.ts';
import { openOr, openPayload } from '../vault/open-submission.ts';
import type { Vault } from '../vault/vault.ts';
import { getLinks, LINK, SHORTENERS } from './links.ts';
import { fingerprint } from './sentences.ts';
import { MAYBE_SPAM_THRESHOLD, type Signal, SPAM_THRESHOLD } from './signal.ts';
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
/** Share from which a text is a copy that adds nothing. */
const COPY_SHARE = 0.9;
/** Characters from which a text of fewer groups is remembered as a whole. */
const MIN_CHARACTERS = 12;
const MAX_GROUPS = 200;
/** Characters that are looked at. So many groups rarely have more. */
const MAX_TEXT = 4_000;
const MAX_HOSTS = 5;

/** Hosts of pages by very many people, below which none tells a sender. */
const LARGE_HOSTS =
  /(?:^|\.)(?:google\.[a-z.]{2,6}|youtube\.com|youtu\.be|facebook\.com|fb\.me|instagram\.com|linkedin\.com|twitter\.com|x\.com|tiktok\.com|whatsapp\.com|telegram\.(?:org|me)|pinterest\.[a-z.]{2,6}|reddit\.com|github\.com|gitlab\.com|wikipedia\.org|amazon\.[a-z.]{2,6}|ebay\.[a-z.]{2,6}|etsy\.com|apple\.com|microsoft\.com|office\.com|live\.com|dropbox\.com|wetransfer\.com|we\.tl|paypal\.com|paypal\.me|booking\.com|airbnb\.[a-z.]{2,6}|vimeo\.com|medium\.com|calendly\.com|zoom\.us|canva\.com|trustpilot\.com|yelp\.com|spotify\.com|goo\.gl|example\.(?:com|org|net))$/;

/** Keyed hashes of groups of three words and of link hosts. A copy has no groups, but the time of a newer text. */
type Traits = Readonly<{ groups: ReadonlySet<number>; hosts: ReadonlySet<number>; copyOf?: Micros }>;

/** A remembered text: its time and its number of groups. */
type Text = Readonly<{ at: Micros; size: number }>;

/** The memory of what was flagged on one form. */
export class FormMemory {
  /** The texts that have a group of words. */
  readonly #texts = new Map<number, Text[]>();
  readonly #hosts = new Set<number>();
  /** Number of groups. */
  entries = 0;

  constructor(
    private readonly seed: number,
    /** The remembered submissions, by their time. */
    readonly flagged: Map<Micros, Traits>,
  ) {
    for (const [at, traits] of [...flagged].sort(([a], [b]) => b - a)) {
      this.#set(at, this.entries + traits.groups.size > MAX_ENTRIES ? NO_TRAITS : traits);
    }
  }

  /** Adds a flagged submission, once. Of copies only the newest keeps its groups. */
  add(at: Micros, traits: Traits): void {
    if (this.flagged.has(at)) return;
    const other = this.#findRepeat(traits.groups, COPY_SHARE);
    if (!other || other.at < at) this.#set(at, traits);
    if (!other) return;
    if (other.at < at) this.#drop(other);
    const older = Math.min(at, other.at);
    const { hosts } = this.flagged.get(older) ?? traits;
    this.#set(older, { groups: NO_TRAITS.groups, hosts, copyOf: Math.max(at, other.at) });
  }

  #set(at: Micros, traits: Traits): void {
    const text = { at, size: traits.groups.size };
    this.flagged.set(at, traits);
    this.entries += text.size;
    for (const group of traits.groups) this.#texts.getOrInsertComputed(group, () => []).push(text);
    for (const host of traits.hosts) this.#hosts.add(host);
  }

  #drop(text: Text): void {
    this.entries -= text.size;
    for (const group of this.flagged.get(text.at)?.groups ?? []) {
      this.#texts.set(group, this.#texts.get(group)?.filter((one) => one !== text) ?? []);
    }
  }

  /** Returns the signal of a submission that nearly repeats a flagged one, or links to the same place. */
  signals(submitted: SubmittedText, form: Form): Signal[] {
    if (this.flagged.size === 0) return [];
    const { groups, hosts } = readTraits(submitted, form, this.seed);
    if (this.#findRepeat(groups, MIN_SHARE)) {
      // Several people may write the same few words.
      const weight = groups.size < MIN_GROUPS ? MAYBE_SPAM_THRESHOLD : SPAM_THRESHOLD;
      return [{ weight, reason: 'nearly the same text as earlier spam here' }];
    }
    const isLinked = hosts.values().some((host) => this.#hosts.has(host));
    return isLinked ? [{ weight: SPAM_THRESHOLD, reason: 'a link to the same place as earlier spam here' }] : [];
  }

  /** Returns a text that has this share of the smaller one's groups. */
  #findRepeat(groups: ReadonlySet<number>, share: number): Text | null {
    const equal = new Map<Text, number>();
    for (const group of groups) {
      for (const text of this.#texts.get(group) ?? []) {
        const count = (equal.get(text) ?? 0) + 1;
        const smaller = Math.min(groups.size, text.size);
        if (count >= Math.max(Math.min(smaller, MIN_GROUPS), share * smaller)) return text;
        equal.set(text, count);
      }
    }
    return null;
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

  /** Adds a submission that was flagged and stored, so that it need not be read, unless the memory is full. */
  add(form: Form, at: Micros, payload: Payload): void {
    const memory = this.#memories.peek(form.id);
    if (!memory) return void this.#memories.expire(form.id);
    const traits = readTraits(extractText(payload), form, this.#seed);
    if (memory.entries + traits.groups.size <= MAX_ENTRIES) memory.add(at, traits);
  }

  /** Reads the flagged submissions that are new, and leaves out those that are gone. */
  async #read(form: Form, now: Micros, before: FormMemory): Promise<FormMemory> {
    const { store, vault } = this.deps;
    const selection = { formIds: [form.id], part: 'spam', from: now - MAX_AGE, until: null } as const;
    const times = await store.inbox.listTimes(selection, { before: Number.MAX_SAFE_INTEGER, limit: MAX_SUBMISSIONS });
    const present = new Set(times);
    const isKept = ([at, { copyOf = at }]: [Micros, Traits]) => present.has(at) && present.has(copyOf);
    const flagged = new Map([...before.flagged].filter(isKept));
    const added = times.filter((at) => !flagged.has(at));
    if (added.length === 0 && flagged.size === before.flagged.size) return before;
    const memory = new FormMemory(this.#seed, flagged);
    for (let first = 0; first < added.length && (first === 0 || memory.entries < MAX_ENTRIES); first += PAGE_SIZE) {
      const page = await store.inbox.findSubmissionsAt(added.slice(first, first + PAGE_SIZE));
      const traits = await mapYielding(page, (submission) => this.#traitsOf(vault, submission, form));
      for (const [index, { createdAt }] of page.entries()) memory.add(createdAt, traits[index] ?? NO_TRAITS);
      await yieldToEventLoop();
    }
    for (const at of added) if (!flagged.has(at)) flagged.set(at, NO_TRAITS);
    return memory.entries > MAX_ENTRIES ? new FormMemory(this.#seed, flagged) : memory;
  }

  #traitsOf(vault: Vault, submission: StoredSubmission, form: Form): Traits {
    if (submission.payload.length > MAX_PAYLOAD_BYTES) return NO_TRAITS;
    const payload = openOr(() => openPayload(vault, submission), null);
    return payload ? readTraits(extractText(payload), form, this.#seed) : NO_TRAITS;
  }
}

const NO_TRAITS: Traits = { groups: new Set(), hosts: new Set() };

function readTraits(submitted: SubmittedText, form: Form, seed: number): Traits {
  const written = freeText(submitted, form).slice(0, MAX_TEXT).replace(LINK, ' ');
  const text = normalizedWords(written).trim().replace(/\d+/g, '0');
  const words = text.split(' ', MAX_GROUPS + GROUP);
  const groups = new Set<number>();
  for (let at = 0; at + GROUP <= words.length; at++) {
    groups.add(fingerprint(words.slice(at, at + GROUP).join(' '), seed));
  }
  if (groups.size < MIN_GROUPS) {
    groups.clear();
    if (text.length >= MIN_CHARACTERS) groups.add(fingerprint(text, seed));
  }
  const own = new Set(form.allowedOrigins.map((origin) => new URL(origin).hostname));
  const hosts = new Set<number>();
  for (const link of getLinks(submitted).slice(0, MAX_HOSTS)) {
    const url = parseHttpUrl(link.startsWith('http') ? link : `http://${link}`);
    const host = url?.hostname.replace(/^www\./, '') ?? '';
    if (host === '' || own.has(url?.hostname ?? '') || LARGE_HOSTS.test(host) || SHORTENERS.has(host)) continue;
    hosts.add(fingerprint(host, seed));
  }
  return { groups, hosts };
}

/** Returns the longest text that the visitor wrote: no name or address, and no choice of the form, equal for everybody. */
function freeText({ fields }: SubmittedText, form: Form): string {
  const chosen = new Set(form.fields.filter(({ type }) => CHOICES.includes(type)).map(({ name }) => name));
  return fields.reduce((longest, { name, text, isNameField, address }) => {
    const isOther = isNameField || address !== null || chosen.has(name);
    return isOther || text.length <= longest.length ? longest : text;
  }, '');
}

const CHOICES = ['consent', 'checkbox', 'checkboxes', 'radio', 'select', 'hidden', 'rating'];
