import type { VisitorTexts } from './index.ts';

export const IT: VisitorTexts = {
  thanks: {
    title: 'Grazie',
    text: 'Il Suo messaggio è stato ricevuto.',
    message: 'Grazie, il Suo messaggio è stato ricevuto.',
  },
  refused: 'Il Suo messaggio non è stato inviato',
  back: 'Torna alla pagina',
  refusals: {
    empty: 'Il modulo è vuoto. Compili almeno un campo.',
    fields: 'Alcuni dati mancano o devono essere corretti.',
    unreadable: 'Non è stato possibile leggere il modulo. Controlli i dati e riprovi.',
    tooLarge: (limit) =>
      `Il modulo è troppo grande. Abbrevi i testi o scelga file più piccoli. Dimensione massima: ${limit}.`,
    tooManyFields: (limit) => `Il modulo contiene troppi campi. Numero massimo di campi: ${limit}.`,
    nameTooLong: (limit) => `Il modulo contiene un nome di campo troppo lungo. Numero massimo di byte: ${limit}.`,
    tooDeep: (limit) => `I dati del modulo hanno troppi livelli annidati. Numero massimo di livelli: ${limit}.`,
    unsupported: (types) =>
      `Il modulo è stato inviato in un formato non supportato. Formati supportati, senza Content-Encoding: ${types}.`,
    tooManyFiles: 'Ci sono troppi file. Ne invii meno per volta.',
    fileTooLarge: 'Uno dei file è troppo grande. Ne scelga uno più piccolo.',
    fileType: 'Questo modulo non accetta questo tipo di file. Ne scelga un altro.',
    tooSlow: 'L’invio del Suo messaggio ha richiesto troppo tempo. Controlli la connessione e riprovi.',
    paused: 'Al momento questo modulo non accetta messaggi.',
    notFound: 'A questo indirizzo non c’è alcun modulo.',
    origin: 'Questo modulo non accetta messaggi da questa pagina.',
    invalidKey:
      'C’è un problema con la pagina precedente. La ricarichi e riprovi. (Idempotency-Key ha da 1 a 255 caratteri ASCII stampabili.)',
    inProgress: 'Il Suo messaggio è già in fase di invio. Attenda un momento prima di riprovare.',
    reusedKey: 'Questo modulo è già stato inviato con un altro contenuto. Ricarichi la pagina e lo compili di nuovo.',
    challengeMissing: 'Completi la verifica antispam e invii di nuovo il modulo.',
    challengeFailed: 'La verifica antispam non è riuscita o è scaduta. Riprovi.',
    challengeUnavailable:
      'La verifica antispam al momento non è disponibile e il Suo messaggio non è stato salvato. Riprovi tra un minuto.',
    noChallenge: 'Questo modulo non usa la verifica antispam «altcha».',
    busy: 'Stanno arrivando troppi messaggi contemporaneamente e il Suo non è stato salvato. Riprovi tra un minuto.',
    monthlyLimit: 'Questo modulo non accetta più messaggi per questo mese.',
    rateLimit: (wait) => `Dalla Sua rete sono stati inviati troppi messaggi. Riprovi tra ${wait}.`,
    internal:
      'Si è verificato un errore da parte nostra e il Suo messaggio non è stato salvato. Riprovi tra un minuto.',
  },
  fieldErrors: {
    required: 'Questo campo è obbligatorio.',
    email: 'Inserisca un indirizzo e-mail, ad esempio name@example.com.',
    number: 'Inserisca un numero, ad esempio 42.',
    url: 'Inserisca un indirizzo web completo, ad esempio https://example.com.',
    date: 'Inserisca una data con anno, mese e giorno, ad esempio 2026-11-30.',
    checkbox: 'Questa casella può solo essere selezionata o lasciata vuota.',
    option: 'Scelga una delle opzioni.',
    rating: (limit) => `Scelga una valutazione da 1 a ${limit}.`,
    phone: 'Inserisca un numero di telefono, ad esempio +44 20 7946 0018.',
    consent: 'Selezioni questa casella per continuare.',
    file: 'Scelga un file invece di inserire un testo.',
    text: 'Inserisca solo testo.',
    max_length: (limit) => `Il testo inserito è troppo lungo. Numero massimo di caratteri: ${limit}.`,
    pattern: 'Il valore non ha il formato richiesto.',
    too_long: (limit) => `Questo testo è troppo lungo. Dimensione massima: ${limit}.`,
    file_too_large: (limit) => `Questo file è troppo grande. Dimensione massima: ${limit}.`,
    file_type: (types) => `Questo tipo di file non è accettato. Tipi consentiti: ${types}.`,
    too_many_files: (limit) => `Ha scelto troppi file. Numero massimo di file: ${limit}.`,
  },
};
