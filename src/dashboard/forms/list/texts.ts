import { pairs } from '../../../lib/pairs.ts';
import { catalog } from '../../ui/catalog.ts';

const FORMS_WORDS = pairs({
  new: ['Create form', 'Formular anlegen'],
  inDays: ['in the last 30 days', 'in den letzten 30 Tagen'],
  lastArrival: ['Last submission', 'Letzte Einsendung'],
  nothingYet: ['No submissions yet', 'Noch keine Einsendungen'],
  connect: ['Connect it to your page', 'In Ihre Seite einbinden'],
  none: ['No forms yet', 'Noch keine Formulare'],
  noneInWorkspace: ['No forms in this workspace yet.', 'In diesem Arbeitsbereich gibt es noch keine Formulare.'],
  newWorkspace: ['New workspace', 'Neuer Arbeitsbereich'],
  workspaceName: ['Workspace name', 'Name des Arbeitsbereichs'],
  create: ['Create workspace', 'Arbeitsbereich anlegen'],
  rename: ['Rename', 'Umbenennen'],
  moveUp: ['Move up', 'Nach oben'],
  moveDown: ['Move down', 'Nach unten'],
  deleteWorkspace: ['Delete workspace', 'Arbeitsbereich löschen'],
  sort: ['Sort', 'Sortierung'],
  actions: {
    duplicate: ['Duplicate', 'Duplizieren'],
    archive: ['Archive', 'Archivieren'],
    unarchive: ['Unarchive', 'Aus dem Archiv holen'],
    move: ['Move to…', 'Verschieben nach…'],
    trash: ['Move to trash', 'In den Papierkorb'],
  },
  done: {
    workspace: [
      'Workspace created. Create its first form.',
      'Arbeitsbereich angelegt. Legen Sie jetzt das erste Formular an.',
    ],
    renamed: ['Workspace renamed.', 'Arbeitsbereich umbenannt.'],
    sorted: ['Workspace moved.', 'Arbeitsbereich verschoben.'],
    'workspace-deleted': ['Workspace deleted.', 'Arbeitsbereich gelöscht.'],
    restored: ['Form restored.', 'Formular wiederhergestellt.'],
    unarchived: ['Form unarchived.', 'Formular aus dem Archiv geholt.'],
    moved: ['Form moved.', 'Formular verschoben.'],
    deleted: ['Form deleted.', 'Formular gelöscht.'],
    deleting: [
      'The form is being deleted. This takes up to an hour.',
      'Das Formular wird gelöscht. Das dauert bis zu einer Stunde.',
    ],
  },
});

export const FORMS_TEXTS = catalog({
  en: {
    ...FORMS_WORDS.en,
    spark: (submissions: string, spam: string, most: string) =>
      `Last 30 days: ${submissions} and ${spam} spam, at most ${most} on one day`,
    unread: (count: string) => `${count} unread`,
    noneText: 'Create a form from a template and paste its snippet into your page. Submissions appear here.',
    workspaceHint: 'A workspace groups the forms of one website or customer.',
    workspaceMenu: (name: string) => `Actions for workspace “${name}”`,
    sorts: { latest: 'Latest', name: 'Name', count: 'Most submissions' },
    archived: (count: string) => `Archived (${count})`,
    trash: (count: string) => `Trash (${count})`,
    menu: (name: string) => `Actions for “${name}”`,
    trashTitle: (name: string) => `Move “${name}” to trash?`,
    trashText: (submissions: string) =>
      `It received ${submissions} in the last 30 days. Its address stops working at once, and visitors see an error. You can restore it for 30 days.`,
    copyOf: (name: string) => `Copy of ${name}`,
    /** Toasts; the name is that of the form. */
    trashed: (name: string) => `“${name}” moved to trash. It will be deleted in 30 days.`,
    archivedToast: (name: string) => `“${name}” archived. It accepts no submissions.`,
  },
  de: {
    ...FORMS_WORDS.de,
    spark: (submissions: string, spam: string, most: string) =>
      `Letzte 30 Tage: ${submissions} und ${spam} Spam, höchstens ${most} an einem Tag`,
    unread: (count: string) => `${count} ungelesen`,
    noneText:
      'Legen Sie ein Formular aus einer Vorlage an und fügen Sie seinen Code in Ihre Seite ein. Die Einsendungen erscheinen hier.',
    workspaceHint: 'Ein Arbeitsbereich fasst die Formulare einer Website oder eines Kunden zusammen.',
    workspaceMenu: (name: string) => `Aktionen für den Arbeitsbereich „${name}“`,
    sorts: { latest: 'Neueste', name: 'Name', count: 'Meiste Einsendungen' },
    archived: (count: string) => `Archiviert (${count})`,
    trash: (count: string) => `Papierkorb (${count})`,
    menu: (name: string) => `Aktionen für „${name}“`,
    trashTitle: (name: string) => `„${name}“ in den Papierkorb legen?`,
    trashText: (submissions: string) =>
      `In den letzten 30 Tagen: ${submissions}. Die Adresse funktioniert sofort nicht mehr, Besucher sehen einen Fehler. 30 Tage lang können Sie das Formular wiederherstellen.`,
    copyOf: (name: string) => `Kopie von ${name}`,
    trashed: (name: string) => `„${name}“ in den Papierkorb verschoben. Es wird in 30 Tagen gelöscht.`,
    archivedToast: (name: string) => `„${name}“ archiviert. Es nimmt keine Einsendungen an.`,
  },
});

const FORM_TRASH_WORDS = pairs({
  deletedOn: ['Will be deleted on', 'Wird gelöscht am'],
  deleteButton: ['Delete form', 'Formular löschen'],
});

export const FORM_TRASH_TEXTS = catalog({
  en: {
    ...FORM_TRASH_WORDS.en,
    intro:
      'Forms in the trash don’t accept submissions. After 30 days they are deleted for good, with their submissions and files.',
    submissions: (count: number, text: string) => `${text} ${count === 1 ? 'submission' : 'submissions'}`,
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteText: (submissions: string) =>
      `This deletes the form with ${submissions}, their files and its webhooks. It can’t be undone.`,
  },
  de: {
    ...FORM_TRASH_WORDS.de,
    intro:
      'Formulare im Papierkorb nehmen nichts an, und ihre Einsendungen erscheinen nirgends. 30 Tage nach dem Verschieben wird ein Formular mit seinen Einsendungen und Dateien gelöscht.',
    submissions: (count: number, text: string) => `${text} ${count === 1 ? 'Einsendung' : 'Einsendungen'}`,
    deleteTitle: (name: string) => `„${name}“ löschen?`,
    deleteText: (submissions: string) =>
      `Das löscht das Formular mit ${submissions}, deren Dateien und seinen Webhooks. Es lässt sich nicht rückgängig machen.`,
  },
});
