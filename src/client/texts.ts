import { call } from './elements.ts';

/** Texts shown while sending and after a failure, by language. */
export const TEXTS = {
  en: ['Sending…', 'Your message could not be sent. Please try again.'],
  de: ['Wird gesendet …', 'Ihre Nachricht konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.'],
  fr: ['Envoi en cours…', 'L’envoi a échoué. Veuillez réessayer.'],
  es: ['Enviando…', 'No se ha podido enviar. Inténtelo de nuevo.'],
  pt: ['A enviar…', 'Não foi possível enviar. Tente novamente.'],
  it: ['Invio in corso…', 'L’invio non è riuscito. Riprovi.'],
  nl: ['Bezig met verzenden…', 'Het verzenden is niet gelukt. Probeer het opnieuw.'],
  pl: ['Wysyłanie…', 'Nie udało się wysłać. Proszę spróbować ponownie.'],
  ja: ['送信中…', '送信できませんでした。もう一度お試しください。'],
  zh: ['正在发送…', '未能发送。请重试。'],
} as const;

/** A language with texts. */
export type Language = keyof typeof TEXTS;

/** Returns the first of these tags that has texts, else English. */
export const supported = (...tags: ReadonlyArray<string | null | undefined>): Language =>
  tags.map((tag) => tag?.slice(0, 2).toLowerCase() as Language).find((tag) => TEXTS[tag]) ?? 'en';

/** Returns the language tag of the page's part that contains an element. */
export const tagOf = (element: Element): string | null => {
  const marked = call(element, 'closest', '[lang]');
  return marked && call(marked, 'getAttribute', 'lang');
};

/** Returns the wanted language if it is supported, else that of the form, the page or the browser. */
export function languageOf(form: HTMLFormElement | null, wanted: string | undefined): Language {
  const element = form ?? globalThis.document?.documentElement;
  return supported(wanted, element && tagOf(element), globalThis.navigator?.language);
}
