/** Reasons of the spam filter, which are stored in English, with their German. `$1` is a number, word or quotation. */
const GERMAN: ReadonlyArray<readonly [english: RegExp, german: string]> = [
  [/^the address is from a disposable mailbox service$/, 'Adresse eines Wegwerf-Postfachs'],
  [/^random letters instead of words$/, 'Zufallsbuchstaben statt Wörtern'],
  [/^random letters in (\d+) fields$/, 'Zufallsbuchstaben in $1 Feldern'],
  [/^a link in markup$/, 'ein Link in Auszeichnung'],
  [/^(\d+) links in markup$/, '$1 Links in Auszeichnung'],
  [/^1 links in (\d+) words$/, 'ein Link auf $1 Wörter'],
  [/^(\d+) links in (\d+) words$/, '$1 Links auf $2 Wörter'],
  [/^a link in the name$/, 'ein Link im Namen'],
  [/^a shortened link$/, 'ein gekürzter Link'],
  [/^the same text from at least (\d+) senders on as many forms$/, 'derselbe Text von mindestens $1 Absendern'],
  [/^much the same text from at least (\d+) senders on as many forms$/, 'ähnlicher Text von mindestens $1 Absendern'],
  [/^the same text on at least (\d+) forms$/, 'derselbe Text in mindestens $1 Formularen'],
  [/^similar to messages that your team marked as spam$/, 'ähnelt Nachrichten, die Ihr Team als Spam markiert hat'],
  [/^unlike the genuine messages of your team$/, 'anders als die echten Nachrichten Ihres Teams'],
  [/^the blocked word “(.+)”$/s, 'das gesperrte Wort „$1“'],
  [/^nearly the same text as earlier spam here$/, 'fast derselbe Text wie früherer Spam in diesem Formular'],
  [/^a link to the same place as earlier spam here$/, 'ein Link zum selben Ziel wie früherer Spam in diesem Formular'],
  [/^a name as the whole message$/, 'ein Name als ganze Nachricht'],
  [/^explicit words with a link$/, 'anstößige Wörter mit einem Link'],
  [/^a shortened link and few words$/, 'ein gekürzter Link und wenige Wörter'],
  [/^no page timestamp, unlike other posts of this form$/, 'kein Zeitstempel der Seite, anders als sonst hier'],
  [/^a forged page timestamp$/, 'gefälschter Zeitstempel der Seite'],
  [/^sent (\d+) s after the page was opened$/, '$1 s nach dem Öffnen der Seite gesendet'],
  [/^sent (\d+) s after the form was first used$/, '$1 s nach der ersten Eingabe gesendet'],
  [/^(\d+) words with mixed alphabets$/, '$1 Wörter mit gemischten Alphabeten'],
  [/^(\d+) hidden characters within words$/, '$1 versteckte Zeichen in Wörtern'],
  [/^an exploit probe instead of text$/, 'ein Angriffsversuch statt Text'],
  [/^(\d+) unresolved template alternatives$/, '$1 nicht aufgelöste Varianten einer Vorlage'],
  [/^(\d+) unfilled template placeholders$/, '$1 leere Platzhalter einer Vorlage'],
  [/^the same text in (\d+) fields$/, 'derselbe Text in $1 Feldern'],
  [/^a sentence as a name and in another field$/, 'derselbe Satz als Name und in einem anderen Feld'],
];

/** Signs that the reason of the wording names. */
const SIGNS: ReadonlyArray<readonly [english: string, german: string]> = [
  ['a sentence instead of a name', 'ein Satz statt eines Namens'],
  ['a link and few words', 'ein Link und wenige Wörter'],
  ['emojis with a link', 'Emojis mit einem Link'],
  ['an arrow with a link', 'ein Pfeil mit einem Link'],
  ['a host name typical of spam', 'ein typischer Spam-Servername'],
  ['a free email address in the text', 'eine Freemail-Adresse im Text'],
  ['a messenger account', 'ein Messenger-Konto'],
  ['a price', 'ein Preis'],
  ['the same text in two fields', 'derselbe Text in zwei Feldern'],
  ['a percentage', 'eine Prozentangabe'],
  ['a time span', 'eine Zeitspanne'],
  ['a link', 'ein Link'],
];

const WORDING = 'wording typical of spam';

/** Reasons about what the text has, which are said together. */
const CONTENTS = /^(?:a|\d+|the) (?:links?|shortened link|words|hidden|explicit|unresolved|unfilled)\b/;

const LABELS = {
  en: { wording: WORDING, contents: 'contents' },
  de: { wording: 'typische Spam-Wörter', contents: 'Inhalt' },
} as const;

/**
 * Returns reasons of the spam filter in the viewer's language, in groups: the words, what else the text has, and one for
 * each other reason. Unknown ones stay as they are.
 */
export function describeReasons(reasons: readonly string[], language: keyof typeof LABELS): string[] {
  const label = LABELS[language];
  const lines: string[] = [];
  const contents = new Set<string>();
  for (const reason of reasons) {
    if (CONTENTS.test(reason)) contents.add(translateReason(reason, language));
    else if (!reason.startsWith(WORDING)) lines.push(translateReason(reason, language));
    else {
      const words = reason.match(/“[^”]*”/g)?.join(', ') ?? '';
      const quoted = language === 'de' ? words.replaceAll('“', '„').replaceAll('”', '“') : words;
      lines.push([label.wording, quoted].filter(Boolean).join(': '));
      const signs = reason.slice(WORDING.length + 1).replace(/“[^”]*”/g, '');
      const names = signs.split(',').map((name) => name.trim());
      for (const [en, de] of SIGNS) if (names.includes(en)) contents.add({ en, de }[language]);
    }
  }
  return contents.size > 0 ? [...lines, `${label.contents}: ${[...contents].join(', ')}`] : lines;
}

function translateReason(reason: string, language: keyof typeof LABELS): string {
  const [english, german] = (language === 'de' && GERMAN.find(([english]) => english.test(reason))) || [];
  return english && german ? reason.replace(english, german) : reason;
}
