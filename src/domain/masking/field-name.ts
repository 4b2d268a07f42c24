import { CARD_WORD, isSsnField } from './words.ts';

/** Number of characters of a name that are examined. */
const MAX_LENGTH = 256;

/** Hints that a field's name gives about its numbers, evaluated lazily and once. */
export class FieldName {
  private ofCards: boolean | undefined;
  private ofSsns: boolean | undefined;

  constructor(private readonly text: string) {}

  /** Reports whether the name contains a word for card. */
  isForCards(): boolean {
    this.ofCards ??= CARD_WORD.test(this.text.slice(0, MAX_LENGTH));
    return this.ofCards;
  }

  /** Returns true if the name is one of a field for social security numbers. */
  isForSsns(): boolean {
    this.ofSsns ??= isSsnField(this.text.slice(0, MAX_LENGTH));
    return this.ofSsns;
  }
}
