/** Texts shown while sending and after a failure, by language. */
export const TEXTS: Readonly<Record<string, readonly [sending: string, failed: string]>> = {
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
};

/** Returns the wanted language if it is supported, else that of the form, the page or the browser, else English. */
export function languageOf(wanted: string | undefined, data?: unknown): string {
  const root = globalThis.document?.documentElement;
  const element = data instanceof (globalThis.Element ?? Array) ? Element.prototype.closest.call(data, '[lang]') : root;
  const tags = [
    wanted,
    element && Element.prototype.getAttribute.call(element, 'lang'),
    globalThis.navigator?.language,
  ];
  return tags.map((tag) => tag?.slice(0, 2).toLowerCase() ?? '').find((tag) => Object.hasOwn(TEXTS, tag)) ?? 'en';
}
