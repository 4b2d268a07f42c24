import { pairs } from '../../../lib/pairs.ts';
import { catalog } from '../../ui/catalog.ts';

const CONNECT_WORDS = pairs({
  created: ['Form created.', 'Formular angelegt.'],
  waiting: ['Waiting for the first submission', 'Warten auf die erste Einsendung'],
  tryIt: ['Send a sample from here', 'Beispiel von hier senden'],
  checkAgain: ['Look again', 'Erneut nachsehen'],
  firstArrived: ['It works', 'Es funktioniert'],
  received: ['Received', 'Eingegangen am'],
  from: ['from', 'von'],
  sendMore: ['Send one more', 'Noch eine senden'],
  address: ['Only the address', 'Nur die Adresse'],
  snippets: ['Paste this into your page', 'Fügen Sie dies in Ihre Seite ein'],
  kinds: ['Kinds of pages', 'Arten von Seiten'],
  /** Texts inside the snippets. */
  words: {
    send: ['Send', 'Senden'],
    leaveEmpty: ['Leave this empty', 'Bitte leer lassen'],
    sending: ['Sending…', 'Wird gesendet …'],
    failed: [
      'This could not be sent. Please try again.',
      'Das konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.',
    ],
    /** The empty option of a select. */
    choose: ['Choose…', 'Bitte wählen …'],
  },
  fetchText: ['With fetch, for full control.', 'Mit fetch, für volle Kontrolle.'],
  astroText: ['A component for any page.', 'Eine Komponente für jede Seite.'],
  curlText: ['For a test from a terminal.', 'Für einen Test im Terminal.'],
  test: ['Test submission', 'Testeinsendung'],
  send: ['Send test submission', 'Testeinsendung senden'],
  arrived: ['Test submission received.', 'Testeinsendung eingegangen.'],
  flagged: ['Test submission received and marked as spam.', 'Testeinsendung eingegangen und als Spam markiert.'],
  look: ['View submission', 'Einsendung ansehen'],
  message: ['This is a test, sent from the dashboard.', 'Dies ist ein Test aus dem Dashboard.'],
});

export const CONNECT_TEXTS = catalog({
  en: {
    ...CONNECT_WORDS.en,
    waitingText: 'Send your form once. It appears here within a second, with the page it came from.',
    snippetsText: 'Works on any host, even without the script.',
    htmlText: 'For any page. The script keeps visitors on your page, even if the connection drops for a moment.',
    reactText: 'A component for React 18 and later. First run: npm install @formstead/client',
    vueText: 'A component for Vue 3. First run: npm install @formstead/client',
    svelteText: 'A component for Svelte 4 and 5. First run: npm install @formstead/client',
    nextText: 'Save as app/contact-form.tsx. First run: npm install @formstead/client',
    hugoText: 'Save as layouts/shortcodes/contact-form.html, and write {{< contact-form >}} in a page.',
    eleventyText: 'Save as _includes/contact-form.njk, and write {% include "contact-form.njk" %} in a page.',
    jekyllText: 'Save as _includes/contact-form.html, and write {% include contact-form.html %} in a page.',
    wordpressText: 'Add a block “Custom HTML” to the page, and paste this into it.',
    webflowText: 'Add an element “Code Embed” to the page, and paste this into it.',
    framerText: 'Insert the component “Embed”, choose HTML, and paste this into it.',
    curlChallenge: 'curl can’t solve the captcha: the form rejects this request while it has one.',
    unusedNext: (url: string) =>
      `Submissions name ${url} as their next page, but its origin is not allowed. Add it to the allowed origins under Settings › Access.`,
    siteKey: 'Replace YOUR_SITE_KEY with the site key of your account.',
    custom: 'Configure the widget of your service to put its token into the field captcha-response.',
    componentScript: 'A page with a component of React, Vue or Svelte also needs the script of the captcha:',
    testText: 'Sends a submission with your own address. It is handled like any other.',
    refused: {
      form_paused: 'Could not send the test: the form is paused. Turn on “Accept submissions” in its settings.',
      submission_cap_reached: 'Could not send the test: the plan’s submissions for this month are used up.',
      other: 'The form rejected the test submission.',
    },
  },
  de: {
    ...CONNECT_WORDS.de,
    waitingText:
      'Senden Sie Ihr Formular einmal ab. Die Einsendung erscheint hier gleich, mit der Seite, von der sie kam.',
    snippetsText: 'Funktioniert bei jedem Anbieter, auch ohne das Skript.',
    htmlText:
      'Für jede Seite. Mit dem Skript bleiben Besucher auf Ihrer Seite, auch wenn die Verbindung kurz abbricht.',
    reactText: 'Eine Komponente für React ab Version 18. Vorher: npm install @formstead/client',
    vueText: 'Eine Komponente für Vue 3. Vorher: npm install @formstead/client',
    svelteText: 'Eine Komponente für Svelte 4 und 5. Vorher: npm install @formstead/client',
    nextText: 'Als app/contact-form.tsx speichern. Vorher: npm install @formstead/client',
    hugoText: 'Als layouts/shortcodes/contact-form.html speichern und in eine Seite {{< contact-form >}} schreiben.',
    eleventyText:
      'Als _includes/contact-form.njk speichern und in eine Seite {% include "contact-form.njk" %} schreiben.',
    jekyllText:
      'Als _includes/contact-form.html speichern und in eine Seite {% include contact-form.html %} schreiben.',
    wordpressText: 'Fügen Sie der Seite einen Block „Individuelles HTML“ hinzu und darin diesen Code ein.',
    webflowText: 'Fügen Sie der Seite ein Element „Code Embed“ hinzu und darin diesen Code ein.',
    framerText: 'Setzen Sie die Komponente „Embed“ ein, wählen Sie HTML und fügen Sie diesen Code ein.',
    curlChallenge: 'curl kann das Captcha nicht lösen: Solange das Formular eines hat, lehnt es diese Anfrage ab.',
    unusedNext: (url) =>
      `Einsendungen nennen ${url} als nächste Seite, aber diese Website ist nicht erlaubt. Tragen Sie sie unter Einstellungen › Zugriff ein.`,
    siteKey: 'Ersetzen Sie YOUR_SITE_KEY durch den Site-Key Ihres Kontos.',
    custom: 'Stellen Sie das Widget Ihres Dienstes so ein, dass es sein Token in das Feld captcha-response schreibt.',
    componentScript: 'Eine Seite mit einer Komponente von React, Vue oder Svelte braucht auch das Skript des Captchas:',
    testText: 'Schickt eine Einsendung mit Ihrer E-Mail-Adresse ab. Sie wird behandelt wie jede andere.',
    refused: {
      form_paused:
        'Der Test konnte nicht gesendet werden: Das Formular ist pausiert. Schalten Sie „Einsendungen annehmen“ in den Einstellungen ein.',
      submission_cap_reached:
        'Der Test konnte nicht gesendet werden: Das Kontingent des Tarifs für diesen Monat ist aufgebraucht.',
      other: 'Das Formular hat die Testeinsendung abgelehnt.',
    },
  },
});

const HOSTED_WORDS = pairs({
  title: ['Hosted page', 'Gehostete Seite'],
  embed: ['Put this where the form should appear:', 'Fügen Sie dies ein, wo das Formular erscheinen soll:'],
  /** The accessible name of the frame. */
  frameTitle: ['Form', 'Formular'],
  settings: ['Open settings', 'Einstellungen öffnen'],
});

/** The hosted page of a form. */
export const HOSTED_TEXTS = catalog({
  en: {
    ...HOSTED_WORDS.en,
    text: 'A page with the fields of this form, to link to or to embed. It needs no website and no script.',
    origins: 'Only pages of the allowed origins can embed it.',
    /** Reasons for a missing page. */
    problems: {
      off: 'This form has no hosted page yet. Turn it on in the settings.',
      fields: 'A hosted page shows the fields of the form, and none are configured. Add them in the settings.',
      challenge: 'A hosted page can’t show the widget of this captcha. Choose ALTCHA or none in the settings.',
    },
  },
  de: {
    ...HOSTED_WORDS.de,
    text: 'Eine Seite mit den Feldern dieses Formulars, zum Verlinken oder Einbetten. Sie braucht weder Website noch Skript.',
    origins: 'Nur Seiten der erlaubten Websites können sie einbetten.',
    problems: {
      off: 'Dieses Formular hat noch keine gehostete Seite. Schalten Sie sie in den Einstellungen ein.',
      fields:
        'Eine gehostete Seite zeigt die Felder des Formulars, und es sind keine angelegt. Legen Sie sie in den Einstellungen an.',
      challenge:
        'Eine gehostete Seite kann das Widget dieses Captchas nicht zeigen. Wählen Sie in den Einstellungen ALTCHA oder keine.',
    },
  },
});
