import type { VisitorTexts } from './en.ts';

export const IT: VisitorTexts = {
  thanks: {
    title: 'Grazie',
    text: 'Il Suo messaggio è stato ricevuto.',
    message: 'Grazie, il Suo messaggio è stato ricevuto.',
  },
  refused: 'Il Suo messaggio non è stato inviato',
  back: 'Torna alla pagina',
  closed: 'Questo modulo è chiuso',
  notFound: 'Modulo non trovato',
  failed: 'Si è verificato un errore',
  keep: 'Il pulsante Indietro del browser riporta al modulo con i dati inseriti.',
  later: 'Riprovi più tardi o ci contatti in un altro modo.',
  address: {
    title: 'Questo è l’indirizzo di un modulo',
    text: 'I siti web inviano qui i loro moduli. A questo indirizzo non c’è nulla da compilare.',
    use: 'Per ricevere qui il Suo modulo, usi questo indirizzo come action:',
    manual: 'Leggi il manuale (in inglese)',
  },
  check: {
    title: 'Ancora un passaggio',
    text: 'Completi la verifica antispam e invii il messaggio. I Suoi dati vengono conservati.',
  },
  hosted: {
    title: 'Modulo',
    send: 'Invia',
    optional: 'Facoltativo',
    choose: 'Scelga un’opzione',
    leaveEmpty: 'Lasci vuoto questo campo',
    filesAgain: 'Scelga di nuovo i file.',
    needsScript: 'Il controllo antispam di questo modulo richiede JavaScript. Lo attivi e ricarichi la pagina.',
  },
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
    notOpen: (when) => `Questo modulo non è ancora aperto. Aprirà il ${when}.`,
    ended: (when) => `Questo modulo è stato chiuso il ${when}.`,
    full: 'Questo modulo è al completo e non accetta altri messaggi.',
    already: 'È già stato ricevuto un messaggio con questo indirizzo e-mail.',
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
    monthlyLimit: (day) => `Questo modulo non accetta più messaggi per questo mese. Riaprirà il ${day}.`,
    rateLimit: (wait) => `Dalla Sua rete sono stati inviati troppi messaggi. Riprovi tra ${wait}.`,
    internal:
      'Si è verificato un errore da parte nostra e il Suo messaggio non è stato salvato. Riprovi tra un minuto.',
  },
};
