import { AppError } from '../../../domain/errors.ts';
import type { ChallengeInput } from '../../../domain/forms/challenge.ts';
import type { Form, FormChanges, FormLogo } from '../../../domain/forms/form.ts';
import { parseLogo } from '../../../domain/forms/form-logo.ts';
import { HOUR } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { challengeSettings, holdSecret, openHeldSecret } from '../../../services/forms/challenge.ts';
import { checkFormPages } from '../../../services/forms/check-form-page.ts';
import { action, findForm, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { featureAssets } from '../../ui/assets.ts';
import { parseInput } from '../../ui/parse-input.ts';
import type { Texts } from '../../ui/texts.ts';
import { editDraft, readDraft, validateDraft } from './fields.ts';
import { previewRoutes } from './preview-routes.ts';
import script from './script.js' with { type: 'text' };
import { type ParsedSection, type PlainSection, parseSection, SECTIONS, type Section } from './sections.ts';
import { getAddress, settingsPage } from './settings-page.tsx';
import type { WidgetCheck } from './settings-props.ts';
import style from './style.css' with { type: 'text' };

const ASSETS = featureAssets('settings', style, script);

/** Checks of live pages per person and hour: each makes this server send requests. */
const CHECKS_PER_HOUR = 30;

/** Changes of a section, and the logo unless it stays. */
type Changes = ParsedSection & Readonly<{ logo?: FormLogo | null | undefined }>;

type EditPage = PageContext<'edit'>;

/** Settings of a form: a page for each section, and previews. */
export function formSettingsRoutes() {
  const checks = new SlidingWindow(CHECKS_PER_HOUR, HOUR);
  const path = '/dashboard/forms/:formId/settings';
  return withAssets(ASSETS, [
    page(path, { access: 'edit' }, async (page) => settingsPage(page, await findForm(page), 'general')),
    page(`${path}/:section`, { access: 'edit' }, async (page) =>
      settingsPage(page, await findForm(page), findSection(page)),
    ),
    action(`${path}/:section`, { access: 'edit', audit: 'form.changed' }, (page, input) =>
      saveSection(page, input, checks),
    ),
    ...previewRoutes(),
  ]);
}

function findSection({ param }: EditPage): Section {
  const section = SECTIONS.find((section) => section === param('section'));
  if (section) return section;
  throw new AppError('not_found', 'There is no such section of the settings.');
}

async function saveSection(page: EditPage, input: URLSearchParams, checks: SlidingWindow): Promise<Page | Response> {
  const form = await findForm(page);
  const section = findSection(page);
  if (section === 'fields') return saveFields(page, form, input);
  if (section === 'danger') return setActive(page, form, input);
  const heldSecret = section === 'spam' ? holdSecretOf(page, form, input) : null;
  const parsed = parse(page, form, section, input);
  const { errors, logo } = parsed;
  const unsaved = { rejected: { input, errors }, logo, heldSecret };
  if (Object.keys(errors).length > 0) return settingsPage(page, form, section, unsaved);
  const check = await checkWidget(page, form, parsed.changes, input, checks);
  if (check === null) return save(page, form, section, parsed);
  page.note({}, { action: null });
  return settingsPage(page, form, section, { ...unsaved, check });
}

async function saveFields(page: EditPage, form: Form, input: URLSearchParams): Promise<Page | Response> {
  const submitted = readDraft(input);
  const edited = editDraft(submitted, input);
  if (edited) {
    page.note({}, { action: null });
    return settingsPage(page, form, 'fields', { draft: edited });
  }
  const { changes, draft } = validateDraft(submitted, page.viewer);
  return changes ? save(page, form, 'fields', { changes }) : settingsPage(page, form, 'fields', { draft });
}

function setActive(page: EditPage, form: Form, input: URLSearchParams): Promise<Response> {
  const isActive = input.get('isActive') === 'yes';
  return save(page, form, 'danger', { changes: { isActive } }, isActive ? 'resumed' : 'paused');
}

async function save(
  { context, team, note }: EditPage,
  form: Form,
  section: Section,
  { changes, logo }: Omit<Changes, 'errors'>,
  done = 'saved',
): Promise<Response> {
  const { forms } = context.store;
  const before = new Map<string, unknown>(Object.entries(form));
  if (logo !== undefined) await forms.setLogo(form.id, logo);
  await forms.update(form.id, changes, team.id);
  const changed = Object.entries(changes).filter(([name, value]) => !Bun.deepEquals(value, before.get(name)));
  const names = [...changed.map(([name]) => name), ...(logo === undefined ? [] : ['logo'])];
  note({ settings: names.join(', ') });
  return redirectTo(`${getAddress(form, section)}?done=${done}`);
}

/** Restores the secret that a page with errors held, and returns the one to hold on the next page. */
function holdSecretOf({ context: { vault } }: EditPage, { id }: Form, input: URLSearchParams): string | null {
  const entered = input.get('challengeSecret')?.trim();
  const secret = entered || openHeldSecret(vault, id, input.get('heldSecret') ?? '');
  if (!secret) return null;
  input.set('challengeSecret', secret);
  return holdSecret(vault, id, secret);
}

function parse({ context, viewer }: EditPage, form: Form, section: PlainSection, input: URLSearchParams): Changes {
  const seal = (challenge: ChallengeInput | null) => challengeSettings(context.vault, form.id, challenge);
  const parsed = parseSection(section, form, input, viewer, seal);
  if (section !== 'appearance') return parsed;
  const logo = readLogo(input, viewer.texts);
  if ('value' in logo) return { ...parsed, logo: logo.value };
  return { ...parsed, errors: { ...parsed.errors, logo: logo.error } };
}

/** Looks for the widget of a challenge that is to be turned on. Returns null if it may be. */
async function checkWidget(
  { context, user, team }: EditPage,
  form: Form,
  { challenge }: FormChanges,
  input: URLSearchParams,
  checks: SlidingWindow,
): Promise<WidgetCheck | null> {
  if (!challenge || challenge === form.challenge || input.has('anyway')) return null;
  if (!checks.take(user.id, context.monotonic()).allowed) return { pages: null };
  const pages = await checkFormPages(context.network, team.id, form, challenge, input.get('page')?.trim() ?? '');
  const isReady = pages.length > 0 && pages.every(({ finding }) => finding === 'ready');
  return isReady && !input.has('check') ? null : { pages };
}

/**
 * Reads the logo from the inputs: an image, null to remove it, or undefined to keep the current one. Returns an error for
 * a file that is too large or no image.
 */
function readLogo(input: URLSearchParams, texts: Texts) {
  // A hidden input holds the image of a page with errors; a file that was chosen since comes after it.
  const encoded = input.getAll('logo').findLast((text) => text !== '');
  if (input.has('removeLogo')) return { value: null };
  if (encoded === undefined) return { value: undefined };
  return parseInput(texts, () => parseLogo(Buffer.from(encoded, 'base64')));
}
