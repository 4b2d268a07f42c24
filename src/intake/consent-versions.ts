import { agreedFields } from '../domain/forms/consent.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import type { Store } from '../storage/store.ts';
import { consentAad, type Vault } from '../vault/vault.ts';

/** Versions that one process knows to be stored. */
const MAX_KNOWN = 10_000;

/** Returns the version of a form's consent text: a keyed hash. */
export function consentVersion(vault: Vault, formId: string, text: string): string {
  return vault.fingerprint('consent', `${formId} ${text}`);
}

/** The versions of consent texts, each stored once for its form, sealed. */
export class ConsentVersions {
  readonly #known = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly vault: Vault,
  ) {}

  /** Returns the id of the version that a post agrees to, once it is stored; null if it agrees to none. */
  async keep(form: Form, payload: Payload): Promise<string | null> {
    const { consentText } = form;
    if (consentText === null || agreedFields(form, payload).length === 0) return null;
    const id = consentVersion(this.vault, form.id, consentText);
    if (this.#known.has(id)) return id;
    const text = this.vault.seal(consentText, consentAad(id));
    await this.store.forms.keepConsent({ id, formId: form.id, text });
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(id);
    return id;
  }
}
