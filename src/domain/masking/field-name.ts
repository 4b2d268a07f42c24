import { CARD_WORD, isSsnField } from './words.ts';

/** How much of a name is read. */
const READ = 256;

/** What the name of a field tells about the numbers in it. It is looked at once, and only if a number asks. */
export class FieldName {
  private ofCards: boolean | undefined;
  private ofSsns: boolean | undefined;

  constructor(private readonly text: string) {}

  /** Whether it holds a word for card. */
  isOfCards(): boolean {
    this.ofCards ??= CARD_WORD.test(this.text.slice(0, READ));
    return this.ofCards;
  }

  /** Whether it says that social security numbers are in the field. */
  isOfSsns(): boolean {
    this.ofSsns ??= isSsnField(this.text.slice(0, READ));
    return this.ofSsns;
  }
}
