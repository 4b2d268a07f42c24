import { pairs } from '../../../lib/pairs.ts';
import { catalog } from '../../ui/catalog.ts';

const WORDS = pairs({
  which: ['Submissions by status', 'Einsendungen nach Status'],
  parts: {
    inbox: ['Inbox', 'Posteingang'],
    unread: ['Unread', 'Ungelesen'],
    starred: ['Starred', 'Mit Stern'],
    assigned: ['Assigned to me', 'Mir zugewiesen'],
    maybe: ['Suspected spam', 'Spam-Verdacht'],
    unconfirmed: ['Unconfirmed', 'Unbestätigt'],
    spam: ['Spam', 'Spam'],
    trash: ['Trash', 'Papierkorb'],
  },
  unread: ['unread', 'ungelesen'],
  files: ['files', 'Dateien'],
  unreadable: ['unreadable', 'nicht lesbar'],
  damaged: ['Damaged submission', 'Beschädigte Einsendung'],
  nobody: ['Empty submission', 'Leere Einsendung'],
  search: ['Search', 'Suchen'],
  searchLabel: ['Search submissions', 'Einsendungen durchsuchen'],
  filter: ['Filter', 'Filtern'],
  from: ['From', 'Von'],
  to: ['To', 'Bis'],
  wrongDay: ['Invalid date. Enter one such as 2026-11-21.', 'Ungültiges Datum. Geben Sie eines wie 2026-11-21 ein.'],
  workspace: ['Workspace', 'Arbeitsbereich'],
  form: ['Form', 'Formular'],
  all: ['All', 'Alle'],
  field: ['Field', 'Feld'],
  value: ['Answer', 'Antwort'],
  withFiles: ['With files', 'Mit Dateien'],
  unassigned: ['Not assigned', 'Nicht zugewiesen'],
  views: ['Views', 'Ansichten'],
  viewName: ['Name of the view', 'Name der Ansicht'],
  saveView: ['Save view', 'Ansicht speichern'],
  asTab: ['Show as a tab', 'Als Reiter zeigen'],
  apply: ['Apply', 'Anwenden'],
  clear: ['Clear filters', 'Filter zurücksetzen'],
  pages: ['Pages', 'Seiten'],
  selection: ['Selection', 'Auswahl'],
  selected: ['Selected', 'Ausgewählt'],
  /** The script puts the number in place of `{}`. */
  selectedCount: ['{} selected', '{} ausgewählt'],
  selectAll: ['Select all on this page', 'Alle auf dieser Seite auswählen'],
  selectFound: ['Select all matches', 'Alle Treffer auswählen'],
  why: ['Why:', 'Grund:'],
  layout: ['Layout', 'Darstellung'],
  columns: ['Columns', 'Spalten'],
  received: ['Received', 'Eingegangen'],
  opened: ['Opened submission', 'Geöffnete Einsendung'],
  notify: ['Notify me in this browser', 'In diesem Browser benachrichtigen'],
  shortcuts: ['Keyboard shortcuts', 'Tastenkürzel'],
  keys: {
    '/': ['Search', 'Suchen'],
    j: ['Next submission', 'Nächste Einsendung'],
    k: ['Previous submission', 'Vorige Einsendung'],
    o: ['Open', 'Öffnen'],
    e: ['Mark as read', 'Als gelesen markieren'],
    x: ['Select', 'Auswählen'],
    r: ['Reply', 'Antworten'],
    n: ['Add note', 'Notiz hinzufügen'],
    a: ['Assign', 'Zuweisen'],
    s: ['Add or remove the star', 'Stern setzen oder entfernen'],
    '!': ['Mark as spam', 'Als Spam markieren'],
    '#': ['Move to trash', 'In den Papierkorb'],
    u: ['Undo, or back to the list', 'Rückgängig, oder zurück zur Liste'],
    '?': ['Show the shortcuts', 'Tastenkürzel anzeigen'],
  },
  close: ['Close', 'Schließen'],
  actions: {
    read: ['Mark as read', 'Als gelesen markieren'],
    unread: ['Mark as unread', 'Als ungelesen markieren'],
    star: ['Add star', 'Mit Stern'],
    spam: ['Mark as spam', 'Als Spam markieren'],
    genuine: ['Not spam', 'Kein Spam'],
    trash: ['Move to trash', 'In den Papierkorb'],
    export: ['Export', 'Exportieren'],
    restore: ['Restore', 'Wiederherstellen'],
    delete: ['Delete permanently', 'Endgültig löschen'],
  },
  sample: ['Send a sample', 'Muster senden'],
  backTo: ['Searched back to', 'Durchsucht bis zurück zum'],
  searchedAll: ['Search complete.', 'Suche abgeschlossen.'],
  searchOn: ['Keep searching', 'Weitersuchen'],
  stop: ['Stop', 'Anhalten'],
  empty: { spam: ['Empty spam', 'Spam leeren'], trash: ['Empty trash', 'Papierkorb leeren'] },
  layouts: { list: ['List', 'Liste'], table: ['Table', 'Tabelle'] },
  /** Actions whose words differ where they stand side by side. */
  bar: { read: ['Read', 'Gelesen'], star: ['Star', 'Stern'] },
});

/** Lists of submissions. */
export const INBOX_TEXTS = catalog({
  en: {
    ...WORDS.en,
    noViews: 'Search or filter the list, then save it here as a view.',
    deleteView: (name: string) => `Delete the view ${name}`,
    select: (who: string) => `Select: ${who}`,
    star: (who: string) => `Star: ${who}`,
    offline: 'You’re offline. Nothing was changed. Try again when you’re connected.',
    /** `count` can be `10,000+`. */
    selectMatching: (count: string) => `Select all ${count} that match`,
    daysLeft: (days: number) => (days < 2 ? 'deletes today' : `${days} days left`),
    trashHint: 'Submissions in the trash are deleted after 30 days.',
    sortBy: (label: string) => `Sort by ${label}`,
    sortedAmong: (count: number, text: string) =>
      count === 1 ? 'Only 1 submission to sort.' : `Sorted among the newest ${text} submissions.`,
    paneHint: 'Select a submission to read it here. Press ? for keyboard shortcuts.',
    /** Titles of empty lists, with a sentence where it helps. */
    none: {
      inbox: ['Your inbox is ready', 'Connect a form, and each submission appears here as it arrives.'],
      unread: ['All done', ''],
      starred: ['No stars yet', 'Submissions that you star stay at hand here.'],
      assigned: ['Nothing assigned to you', ''],
      maybe: ['No suspected spam', ''],
      unconfirmed: ['Nothing to confirm', 'Submissions wait here until their visitors confirm their email address.'],
      spam: ['No spam', ''],
      trash: ['The trash is empty', ''],
    } satisfies Record<string, readonly [title: string, text: string]>,
    noneSuch: ['No matches', 'Change or clear the search and the filters.'],
    connect: (form: string) => `Connect “${form}”`,
    arrived: (count: number) => (count === 1 ? '1 new submission' : `${count} new submissions`),
    found: (count: number, text: string, looked: string) =>
      count === 1
        ? `1 match in ${looked} submissions.`
        : `${count === 0 ? 'No' : text} matches in ${looked} submissions.`,
    deleteTitle: (count: number, text: string = String(count)) =>
      count === 1 ? 'Delete this submission?' : `Delete ${text} submissions?`,
    deleteText: (count: number) =>
      `This permanently deletes the ${count === 1 ? 'submission with its' : 'submissions with their'} files and emails. This cannot be undone.`,
    /** Results of actions on `count` submissions. */
    done: {
      read: (count: number, text: string) => (count === 1 ? 'Marked as read.' : `Marked ${text} as read.`),
      unread: (count: number, text: string) => (count === 1 ? 'Marked as unread.' : `Marked ${text} as unread.`),
      star: (count: number, text: string) => (count === 1 ? 'Star added.' : `${text} stars added.`),
      unstar: (count: number, text: string) => (count === 1 ? 'Star removed.' : `${text} stars removed.`),
      spam: (count: number, text: string) => (count === 1 ? 'Marked as spam.' : `Marked ${text} as spam.`),
      genuine: (count: number, text: string) =>
        count === 1
          ? 'Marked as not spam. Held emails are queued.'
          : `Marked ${text} as not spam. Held emails are queued.`,
      assign: (count: number, text: string) => (count === 1 ? 'Assignment changed.' : `${text} assignments changed.`),
      trash: (count: number, text: string) =>
        count === 1 ? 'Submission moved to trash.' : `${text} submissions moved to trash.`,
      restore: (count: number, text: string) =>
        count === 1 ? 'Submission restored.' : `${text} submissions restored.`,
      deleted: (count: number, text: string) => (count === 1 ? 'Submission deleted.' : `${text} submissions deleted.`),
      undone: (count: number, text: string) => (count === 1 ? 'Undone.' : `Undone for ${text} submissions.`),
      viewSaved: () => 'View saved.',
      viewDeleted: () => 'View deleted.',
    },
    /** After a bulk action that reached its limit. */
    moreMatch: 'More submissions match. Repeat the action to change them too.',
    notDone: {
      none: 'Nothing selected. Select at least one submission first.',
      same: 'Nothing changed. The selected submissions were already in this state.',
      tooLate: 'This can no longer be undone. Look for the submissions in their views or in the trash.',
      noName: 'The view was not saved. Enter a name for it.',
      tooManyViews: 'The view was not saved because you have 50 already. Delete one first.',
    },
  },
  de: {
    ...WORDS.de,
    noViews: 'Suchen oder filtern Sie die Liste, dann können Sie sie hier als Ansicht speichern.',
    deleteView: (name) => `Die Ansicht ${name} löschen`,
    select: (who) => `Auswählen: ${who}`,
    star: (who) => `Mit Stern markieren: ${who}`,
    offline: 'Keine Internetverbindung. Es wurde nichts geändert. Versuchen Sie es später noch einmal.',
    selectMatching: (count) => `Alle ${count} passenden auswählen`,
    daysLeft: (days) => (days < 2 ? 'wird heute gelöscht' : `noch ${days} Tage`),
    trashHint: 'Einsendungen im Papierkorb werden nach 30 Tagen gelöscht.',
    sortBy: (label) => `Nach ${label} sortieren`,
    sortedAmong: (count, text) =>
      count === 1 ? 'Nur 1 Einsendung zu sortieren.' : `Sortiert unter den neuesten ${text} Einsendungen.`,
    paneHint: 'Wählen Sie eine Einsendung aus, um sie hier zu lesen. Mit ? sehen Sie die Tastenkürzel.',
    none: {
      inbox: ['Ihr Posteingang ist bereit', 'Binden Sie ein Formular ein. Jede Einsendung erscheint dann sofort hier.'],
      unread: ['Alles erledigt', ''],
      starred: ['Noch keine Sterne', 'Hier finden Sie alles wieder, was Sie mit einem Stern versehen.'],
      assigned: ['Ihnen ist nichts zugewiesen', ''],
      maybe: ['Kein Spam-Verdacht', ''],
      unconfirmed: ['Alles bestätigt', 'Hier warten Einsendungen, bis der Besucher seine E-Mail-Adresse bestätigt.'],
      spam: ['Kein Spam', ''],
      trash: ['Der Papierkorb ist leer', ''],
    },
    noneSuch: ['Keine Treffer', 'Ändern Sie die Suche oder die Filter.'],
    connect: (form) => `„${form}“ einbinden`,
    arrived: (count) => (count === 1 ? '1 neue Einsendung' : `${count} neue Einsendungen`),
    found: (count, text, looked) => `${count === 0 ? 'Keine' : text} Treffer in ${looked} Einsendungen.`,
    deleteTitle: (count, text = String(count)) =>
      count === 1 ? 'Diese Einsendung löschen?' : `${text} Einsendungen löschen?`,
    deleteText: (count) =>
      `Die ${count === 1 ? 'Einsendung wird' : 'Einsendungen werden'} mit allen Dateien und E-Mails endgültig gelöscht. Das lässt sich nicht rückgängig machen.`,
    done: {
      read: (count, text) => (count === 1 ? 'Als gelesen markiert.' : `${text} als gelesen markiert.`),
      unread: (count, text) => (count === 1 ? 'Als ungelesen markiert.' : `${text} als ungelesen markiert.`),
      star: (count, text) => (count === 1 ? 'Stern gesetzt.' : `${text} Sterne gesetzt.`),
      unstar: (count, text) => (count === 1 ? 'Stern entfernt.' : `${text} Sterne entfernt.`),
      spam: (count, text) => (count === 1 ? 'Als Spam markiert.' : `${text} als Spam markiert.`),
      genuine: (count, text) =>
        `${count === 1 ? 'Als' : `${text} als`} „Kein Spam“ markiert. Zurückgehaltene E-Mails werden gesendet.`,
      assign: (count, text) => (count === 1 ? 'Zuweisung geändert.' : `${text} Zuweisungen geändert.`),
      trash: (count, text) =>
        count === 1 ? 'Einsendung in den Papierkorb verschoben.' : `${text} Einsendungen in den Papierkorb verschoben.`,
      restore: (count, text) =>
        count === 1 ? 'Einsendung wiederhergestellt.' : `${text} Einsendungen wiederhergestellt.`,
      deleted: (count, text) => (count === 1 ? 'Einsendung gelöscht.' : `${text} Einsendungen gelöscht.`),
      undone: (count, text) => (count === 1 ? 'Rückgängig gemacht.' : `Für ${text} Einsendungen rückgängig gemacht.`),
      viewSaved: () => 'Ansicht gespeichert.',
      viewDeleted: () => 'Ansicht gelöscht.',
    },
    moreMatch: 'Weitere Einsendungen passen. Wiederholen Sie die Aktion, um auch sie zu ändern.',
    notDone: {
      none: 'Nichts ausgewählt. Wählen Sie zuerst mindestens eine Einsendung aus.',
      same: 'Nichts geändert. Die ausgewählten Einsendungen waren schon in diesem Zustand.',
      tooLate:
        'Das lässt sich nicht mehr rückgängig machen. Suchen Sie die Einsendungen in ihren Ansichten oder im Papierkorb.',
      noName: 'Die Ansicht wurde nicht gespeichert. Geben Sie ihr einen Namen.',
      tooManyViews: 'Die Ansicht wurde nicht gespeichert, weil Sie schon 50 haben. Löschen Sie zuerst eine.',
    },
  },
});
