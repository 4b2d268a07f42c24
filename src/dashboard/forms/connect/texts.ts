import { catalog } from '../../ui/catalog.ts';

export const CONNECT_TEXTS = catalog({
  en: {
    created: 'Form created.',
    waiting: 'Waiting for the first submission',
    waitingText: 'Send your form once. It appears here within a second, with the page it came from.',
    tryIt: 'Send a sample from here',
    checkAgain: 'Look again',
    firstArrived: 'It works',
    received: 'Received',
    from: 'from',
    sendMore: 'Send one more',
    address: 'Only the address',
    snippets: 'Paste this into your page',
    snippetsText: 'It works at once, on any host, also without the script.',
    kinds: 'Kinds of pages',
    /** Texts inside the snippets. */
    words: {
      send: 'Send',
      leaveEmpty: 'Leave this empty',
      sending: 'Sending…',
      failed: 'This could not be sent. Please try again.',
      /** The empty option of a select. */
      choose: 'Choose…',
    },
    htmlText: 'For any page. The script keeps visitors on your page, even if the connection drops for a moment.',
    fetchText: 'With fetch, for full control.',
    reactText: 'A component for React 18 and later. First run: npm install @formstead/client',
    vueText: 'A component for Vue 3. First run: npm install @formstead/client',
    svelteText: 'A component for Svelte 4 and 5. First run: npm install @formstead/client',
    astroText: 'A component for any page.',
    nextText: 'Save as app/contact-form.tsx. First run: npm install @formstead/client',
    hugoText: 'Save as layouts/shortcodes/contact-form.html, and write {{< contact-form >}} in a page.',
    eleventyText: 'Save as _includes/contact-form.njk, and write {% include "contact-form.njk" %} in a page.',
    jekyllText: 'Save as _includes/contact-form.html, and write {% include contact-form.html %} in a page.',
    wordpressText: 'Add a block “Custom HTML” to the page, and paste this into it.',
    webflowText: 'Add an element “Code Embed” to the page, and paste this into it.',
    framerText: 'Insert the component “Embed”, choose HTML, and paste this into it.',
    curlText: 'For a test from a terminal.',
    curlChallenge: 'curl can’t solve the captcha: the form rejects this request while it has one.',
    unusedNext: (url: string) =>
      `Submissions name ${url} as their next page, but its origin is not allowed. Add it to the allowed origins under Settings → Access.`,
    siteKey: 'Replace YOUR_SITE_KEY with the site key of your account.',
    custom: 'Configure the widget of your service to put its token into the field captcha-response.',
    componentScript: 'A page with a component of React, Vue or Svelte also needs the script of the captcha:',
    test: 'Test submission',
    testText: 'Sends a submission with your own address. It is handled like any other.',
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
    created: 'Formular angelegt.',
    waiting: 'Warten auf die erste Einsendung',
    waitingText:
      'Senden Sie Ihr Formular einmal ab. Die Einsendung erscheint hier gleich, mit der Seite, von der sie kam.',
    tryIt: 'Beispiel von hier senden',
    checkAgain: 'Erneut nachsehen',
    firstArrived: 'Es funktioniert',
    received: 'Eingegangen am',
    from: 'von',
    sendMore: 'Noch eine senden',
    address: 'Nur die Adresse',
    snippets: 'Fügen Sie dies in Ihre Seite ein',
    snippetsText: 'Es funktioniert sofort, bei jedem Anbieter, auch ohne das Skript.',
    kinds: 'Arten von Seiten',
    words: {
      send: 'Senden',
      leaveEmpty: 'Bitte leer lassen',
      sending: 'Wird gesendet …',
      failed: 'Das konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.',
      choose: 'Bitte wählen …',
    },
    htmlText:
      'Für jede Seite. Mit dem Skript bleiben Besucher auf Ihrer Seite, auch wenn die Verbindung kurz abbricht.',
    fetchText: 'Mit fetch, für volle Kontrolle.',
    reactText: 'Eine Komponente für React ab Version 18. Vorher: npm install @formstead/client',
    vueText: 'Eine Komponente für Vue 3. Vorher: npm install @formstead/client',
    svelteText: 'Eine Komponente für Svelte 4 und 5. Vorher: npm install @formstead/client',
    astroText: 'Eine Komponente für jede Seite.',
    nextText: 'Als app/contact-form.tsx speichern. Vorher: npm install @formstead/client',
    hugoText: 'Als layouts/shortcodes/contact-form.html speichern und in eine Seite {{< contact-form >}} schreiben.',
    eleventyText:
      'Als _includes/contact-form.njk speichern und in eine Seite {% include "contact-form.njk" %} schreiben.',
    jekyllText:
      'Als _includes/contact-form.html speichern und in eine Seite {% include contact-form.html %} schreiben.',
    wordpressText: 'Fügen Sie der Seite einen Block „Individuelles HTML“ hinzu und darin diesen Code ein.',
    webflowText: 'Fügen Sie der Seite ein Element „Code Embed“ hinzu und darin diesen Code ein.',
    framerText: 'Setzen Sie die Komponente „Embed“ ein, wählen Sie HTML und fügen Sie diesen Code ein.',
    curlText: 'Für einen Test im Terminal.',
    curlChallenge: 'curl kann das Captcha nicht lösen: Solange das Formular eines hat, lehnt es diese Anfrage ab.',
    unusedNext: (url) =>
      `Einsendungen nennen ${url} als nächste Seite, aber diese Website ist nicht erlaubt. Tragen Sie sie unter Einstellungen → Zugriff ein.`,
    siteKey: 'Ersetzen Sie YOUR_SITE_KEY durch den Site-Key Ihres Kontos.',
    custom: 'Stellen Sie das Widget Ihres Dienstes so ein, dass es sein Token in das Feld captcha-response schreibt.',
    componentScript: 'Eine Seite mit einer Komponente von React, Vue oder Svelte braucht auch das Skript des Captchas:',
    test: 'Testeinsendung',
    testText: 'Sendet eine Einsendung mit Ihrer eigenen Adresse. Sie wird behandelt wie jede andere.',
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
      challenge: 'A hosted page can’t show the widget of this captcha. Choose ALTCHA or none in the settings.',
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
        'Eine gehostete Seite kann das Widget dieses Captchas nicht zeigen. Wählen Sie in den Einstellungen ALTCHA oder keine.',
    },
  },
});
