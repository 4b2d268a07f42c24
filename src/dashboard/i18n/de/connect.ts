import type { Texts } from '../index.ts';

export const CONNECT: Pick<Texts, 'connect'> = {
  connect: {
    created:
      'Formular angelegt. Fügen Sie eines dieser Codebeispiele in Ihre Seite ein und senden Sie dann einen Test.',
    waiting: 'Warten auf die erste Einsendung …',
    waitingText:
      'Fügen Sie einen Code in Ihre Seite ein und senden Sie das Formular ab, oder probieren Sie es von hier. Die Einsendung erscheint von selbst.',
    tryIt: 'Test-Einsendung senden',
    checkAgain: 'Erneut nachsehen',
    firstArrived: 'Die erste Einsendung ist da.',
    firstArrivedText: 'Das Formular funktioniert. Empfangen',
    toInbox: 'Zum Eingang',
    address: 'Formular-URL',
    addressText:
      'Jedes Formular kann an diese URL senden. Sie nimmt Daten von Browsern und Skripten an, mit Dateien oder als JSON.',
    snippets: 'Codebeispiele',
    snippetsText: 'Mit der URL und den Feldern dieses Formulars.',
    words: {
      send: 'Senden',
      leaveEmpty: 'Bitte leer lassen',
      sending: 'Wird gesendet …',
      failed: 'Das konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.',
      choose: 'Bitte wählen …',
    },
    html: 'HTML',
    htmlText:
      'Für jede Seite. Das Skript ist optional: Es behält Besucher auf Ihrer Seite und übersteht Verbindungsabbrüche.',
    fetch: 'Ein eigenes Skript',
    fetchText: 'Mit fetch, für volle Kontrolle.',
    react: 'React',
    reactText:
      "Eine Komponente für React ab Version 18. Installieren Sie das Paket: npm install @formstead/client. In Next.js beginnt die Datei mit 'use client'.",
    vue: 'Vue',
    vueText: 'Eine Komponente für Vue 3. Installieren Sie das Paket: npm install @formstead/client.',
    svelte: 'Svelte',
    svelteText: 'Eine Komponente für Svelte 4 und 5. Installieren Sie das Paket: npm install @formstead/client.',
    astro: 'Astro',
    astroText: 'Eine Komponente für jede Seite.',
    curl: 'curl',
    curlText: 'Für einen Test im Terminal.',
    curlChallenge: 'curl kann die Prüfung nicht lösen: Solange das Formular eine hat, lehnt es diese Anfrage ab.',
    siteKey: 'Ersetzen Sie YOUR_SITE_KEY durch den Site-Key Ihres Kontos.',
    custom: 'Stellen Sie das Widget Ihres Dienstes so ein, dass es sein Token in das Feld captcha-response schreibt.',
    componentScript: 'Eine Seite mit einer Komponente von React, Vue oder Svelte braucht auch das Skript der Prüfung:',
    test: 'Testeinsendung',
    testText:
      'Sendet eine Einsendung wie ein Besucher, mit Ihrer eigenen Adresse als E-Mail. Sie wird gespeichert, gezählt und gemeldet wie jede andere; nur die Prüfung und die Feldregeln entfallen.',
    send: 'Testeinsendung senden',
    arrived: 'Testeinsendung eingegangen.',
    flagged: 'Testeinsendung eingegangen und als Spam markiert.',
    look: 'Einsendung ansehen',
    refused: {
      form_paused:
        'Der Test konnte nicht gesendet werden: Das Formular ist pausiert. Schalten Sie „Einsendungen annehmen“ in den Einstellungen ein.',
      submission_cap_reached:
        'Der Test konnte nicht gesendet werden: Das Kontingent des Tarifs für diesen Monat ist aufgebraucht.',
      other: 'Das Formular hat die Testeinsendung abgelehnt.',
    },
    message: 'Dies ist ein Test aus dem Dashboard.',
  },
};
