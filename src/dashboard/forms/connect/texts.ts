import { catalog } from '../../ui/catalog.ts';

export const CONNECT_TEXTS = catalog({
  en: {
    created: 'Form created.',
    waiting: 'Waiting for your first submission…',
    waitingText:
      'Paste a snippet into your page and submit the form, or send a test submission. It appears here by itself.',
    tryIt: 'Send a test submission',
    checkAgain: 'Check again',
    firstArrived: 'Your first submission is here.',
    firstArrivedText: 'The form works. Received',
    toInbox: 'Open the inbox',
    address: 'Form URL',
    addressText: 'Post any form to this URL. It accepts data from browsers and scripts, with files or as JSON.',
    snippets: 'Snippets',
    snippetsText: 'With the URL and the fields of this form.',
    /** Texts inside the snippets. */
    words: {
      send: 'Send',
      leaveEmpty: 'Leave this empty',
      sending: 'Sending…',
      failed: 'This could not be sent. Please try again.',
      choose: 'Choose…',
    },
    html: 'HTML',
    htmlText: 'For any page. The script is optional: it keeps visitors on your page and survives a lost connection.',
    fetch: 'Your own script',
    fetchText: 'With fetch, for full control.',
    react: 'React',
    reactText:
      "A component for React 18 and later. Install the package: npm install @formstead/client. In Next.js, begin the file with 'use client'.",
    vue: 'Vue',
    vueText: 'A component for Vue 3. Install the package: npm install @formstead/client.',
    svelte: 'Svelte',
    svelteText: 'A component for Svelte 4 and 5. Install the package: npm install @formstead/client.',
    astro: 'Astro',
    astroText: 'A component for any page.',
    curl: 'curl',
    curlText: 'For a test from a terminal.',
    curlChallenge: 'curl can’t solve the challenge: the form rejects this request while it has one.',
    unusedNext: (url: string) =>
      `Submissions name ${url} as their next page, but its origin is not allowed. Add it to the allowed origins under Settings → Access.`,
    siteKey: 'Replace YOUR_SITE_KEY with the site key of your account.',
    custom: 'Configure the widget of your service to put its token into the field captcha-response.',
    componentScript: 'A page with a component of React, Vue or Svelte also needs the script of the challenge:',
    test: 'Test submission',
    testText:
      'Sends a submission as a visitor would, with your own address as the email. It is stored, counted and notified like any other; only the challenge and the field rules are skipped.',
    send: 'Send test submission',
    arrived: 'Test submission received.',
    flagged: 'Test submission received and marked as spam.',
    look: 'View submission',
    refused: {
      form_paused: 'Could not send the test: the form is paused. Turn on “Accept submissions” in its settings.',
      submission_cap_reached: 'Could not send the test: the plan’s submissions for this month are used up.',
      other: 'The form rejected the test submission.',
    },
    message: 'This is a test, sent from the dashboard.',
  },
  de: {
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
    unusedNext: (url) =>
      `Einsendungen nennen ${url} als nächste Seite, aber diese Website ist nicht erlaubt. Tragen Sie sie unter Einstellungen → Zugriff ein.`,
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
});

/** The hosted page of a form. */
export const HOSTED_TEXTS = catalog({
  en: {
    title: 'Hosted page',
    text: 'A page with the fields of this form, to link to or to embed. It needs no website and no script.',
    embed: 'Put this where the form should appear:',
    /** The accessible name of the frame. */
    frameTitle: 'Form',
    origins: 'Only pages of the allowed origins can embed it.',
    settings: 'Open settings',
    /** Reasons for a missing page. */
    problems: {
      off: 'This form has no hosted page yet. Turn it on in the settings.',
      fields: 'A hosted page shows the fields of the form, and none are configured. Add them in the settings.',
      challenge: 'A hosted page can’t show the widget of this challenge. Choose ALTCHA or none in the settings.',
    },
  },
  de: {
    title: 'Gehostete Seite',
    text: 'Eine Seite mit den Feldern dieses Formulars, zum Verlinken oder Einbetten. Sie braucht weder Website noch Skript.',
    embed: 'Fügen Sie dies ein, wo das Formular erscheinen soll:',
    frameTitle: 'Formular',
    origins: 'Nur Seiten der erlaubten Websites können sie einbetten.',
    settings: 'Einstellungen öffnen',
    problems: {
      off: 'Dieses Formular hat noch keine gehostete Seite. Schalten Sie sie in den Einstellungen ein.',
      fields:
        'Eine gehostete Seite zeigt die Felder des Formulars, und es sind keine angelegt. Legen Sie sie in den Einstellungen an.',
      challenge:
        'Eine gehostete Seite kann das Widget dieser Spam-Prüfung nicht zeigen. Wählen Sie in den Einstellungen ALTCHA oder keine.',
    },
  },
});
