import type { VisitorTexts } from './en.ts';

export const NL: VisitorTexts = {
  thanks: {
    title: 'Bedankt',
    text: 'Uw bericht is ontvangen.',
    message: 'Bedankt, uw bericht is ontvangen.',
  },
  refused: 'Uw bericht is niet verzonden',
  back: 'Terug naar de pagina',
  closed: 'Dit formulier is gesloten',
  notFound: 'Formulier niet gevonden',
  failed: 'Er is iets misgegaan',
  keep: 'Met de knop Vorige van uw browser keert u terug naar het formulier met uw gegevens.',
  later: 'Probeer het later opnieuw of neem op een andere manier contact op.',
  address: {
    title: 'Dit is het adres van een formulier',
    text: 'Websites sturen hun formulieren hierheen. Op dit adres zelf valt niets in te vullen.',
    use: 'Gebruik dit adres als action om uw formulier hier te ontvangen:',
    manual: 'Lees de handleiding (Engels)',
  },
  check: {
    title: 'Nog één stap',
    text: 'Voltooi de spamcontrole en verzend uw bericht. Uw gegevens blijven bewaard.',
  },
  hosted: {
    title: 'Formulier',
    send: 'Versturen',
    optional: 'Niet verplicht',
    choose: 'Kies een optie',
    leaveEmpty: 'Laat dit veld leeg',
    filesAgain: 'Kies uw bestanden opnieuw.',
    needsScript: 'De spamcontrole van dit formulier heeft JavaScript nodig. Zet het aan en laad de pagina opnieuw.',
  },
  refusals: {
    empty: 'Het formulier is leeg. Vul ten minste één veld in.',
    fields: 'Sommige gegevens ontbreken of moeten worden gecorrigeerd.',
    unreadable: 'Het formulier kon niet worden gelezen. Controleer uw gegevens en probeer het opnieuw.',
    tooLarge: (limit) =>
      `Het formulier is te groot. Kort uw teksten in of kies kleinere bestanden. Maximale grootte: ${limit}.`,
    tooManyFields: (limit) => `Het formulier heeft te veel velden. Toegestaan aantal velden: ${limit}.`,
    nameTooLong: (limit) => `Het formulier heeft een te lange veldnaam. Toegestaan aantal bytes: ${limit}.`,
    tooDeep: (limit) => `De gegevens van het formulier zijn te diep genest. Toegestaan aantal niveaus: ${limit}.`,
    unsupported: (types) =>
      `Het formulier is verzonden in een indeling die niet wordt ondersteund. Ondersteunde indelingen, zonder Content-Encoding: ${types}.`,
    tooManyFiles: 'Er zijn te veel bestanden. Verzend er minder tegelijk.',
    fileTooLarge: 'Een van de bestanden is te groot. Kies een kleiner bestand.',
    fileType: 'Dit formulier accepteert dit bestandstype niet. Kies een ander bestand.',
    tooSlow: 'Het verzenden van uw bericht duurde te lang. Controleer uw verbinding en probeer het opnieuw.',
    paused: 'Dit formulier accepteert op dit moment geen berichten.',
    notFound: 'Er is geen formulier op dit adres.',
    origin: 'Dit formulier accepteert geen berichten van deze pagina.',
    invalidKey:
      'Er is iets mis met de vorige pagina. Laad die opnieuw en probeer het nog eens. (Een Idempotency-Key heeft 1 tot en met 255 afdrukbare ASCII-tekens.)',
    inProgress: 'Uw bericht wordt al verzonden. Wacht even voordat u het opnieuw probeert.',
    reusedKey: 'Dit formulier is al met andere inhoud verzonden. Laad de pagina opnieuw en vul het nog eens in.',
    challengeMissing: 'Voltooi de spamcontrole en verzend het formulier opnieuw.',
    challengeFailed: 'De spamcontrole is mislukt of verlopen. Probeer het opnieuw.',
    challengeUnavailable:
      'De spamcontrole is op dit moment niet beschikbaar en uw bericht is niet opgeslagen. Probeer het over een minuut opnieuw.',
    noChallenge: 'Dit formulier gebruikt de spamcontrole ‘altcha’ niet.',
    busy: 'Er komen te veel berichten tegelijk binnen en dat van u is niet opgeslagen. Probeer het over een minuut opnieuw.',
    monthlyLimit: (day) => `Dit formulier accepteert deze maand geen berichten meer. Vanaf ${day} is het weer open.`,
    rateLimit: (wait) => `Er zijn te veel berichten verzonden vanaf uw netwerk. Probeer het over ${wait} opnieuw.`,
    internal: 'Er ging bij ons iets mis en uw bericht is niet opgeslagen. Probeer het over een minuut opnieuw.',
  },
};
