import type { Context } from '../../../context.ts';
import type { ChallengeInput } from '../../../domain/challenge.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Form, FormChanges, FormLogo } from '../../../domain/form.ts';
import { HOUR } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { challengeSettings, holdSecret, openHeldSecret } from '../../../services/challenge.ts';
import { checkFormPages } from '../../../services/check-form-page.ts';
import { requireForm } from '../../../services/forms.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../../page.ts';
import { editDraft, readDraft, validateDraft } from './fields.ts';
import { readLogo } from './logo.ts';
import { previewRoutes, type ThanksPage } from './preview-routes.ts';
import { type ParsedSection, type PlainSection, parseSection, SECTIONS, type Section } from './sections.ts';
import { SettingsPages } from './settings-page.tsx';
import type { WidgetCheck } from './settings-props.ts';
import { getAddress } from './settings-view.tsx';

/** Checks of live pages per person and hour: each makes this server send requests. */
const CHECKS_PER_HOUR = 30;

/** Changes of a section, and the logo unless it stays. */
type Changes = ParsedSection & Readonly<{ logo?: FormLogo | null | undefined }>;

/** Settings of a form: a page for each section, and previews. `thanksPage` renders what visitors see. */
export function formSettingsRoutes(context: Context, thanksPage: ThanksPage): readonly DashboardRoute[] {
  const { store, vault, network, monotonic } = context;
  const pages = new SettingsPages(context);
  const checks = new SlidingWindow(CHECKS_PER_HOUR, HOUR);

  const findForm = ({ param, team }: PageContext<'edit'>) => requireForm(store, param('formId'), team.id);

  const findSection = ({ param }: PageContext<'edit'>): Section => {
    const section = SECTIONS.find((known) => known === param('section'));
    if (section) return section;
    throw new AppError('not_found', 'There is no such section of the settings.');
  };

  const save = async (
    { team, note }: PageContext<'edit'>,
    form: Form,
    section: Section,
    { changes, logo }: Omit<Changes, 'errors'>,
    done = 'saved',
  ) => {
    const before = new Map<string, unknown>(Object.entries(form));
    if (logo !== undefined) await store.forms.setLogo(form.id, logo);
    await store.forms.update(form.id, changes, team.id);
    const changed = Object.entries(changes).filter(([name, value]) => !Bun.deepEquals(value, before.get(name)));
    const names = [...changed.map(([name]) => name), ...(logo === undefined ? [] : ['logo'])];
    note({ settings: names.join(', ') });
    return redirectTo(`${getAddress(form, section)}?done=${done}`);
  };

  const saveFields = async (page: PageContext<'edit'>, form: Form, input: URLSearchParams) => {
    const submitted = readDraft(input);
    const edited = editDraft(submitted, input);
    if (edited) {
      page.note({}, { action: null });
      return pages.show(page, form, 'fields', { draft: edited });
    }
    const { changes, draft } = validateDraft(submitted, page.viewer.texts);
    return changes ? save(page, form, 'fields', { changes }) : pages.show(page, form, 'fields', { draft });
  };

  const setActive = (page: PageContext<'edit'>, form: Form, input: URLSearchParams) => {
    const isActive = input.get('isActive') === 'yes';
    return save(page, form, 'danger', { changes: { isActive } }, isActive ? 'resumed' : 'paused');
  };

  /** Restores the secret that a page with errors held, and returns the one to hold on the next page. */
  const holdSecretOf = ({ id }: Form, input: URLSearchParams): string | null => {
    const entered = input.get('challengeSecret')?.trim();
    const secret = entered || openHeldSecret(vault, id, input.get('heldSecret') ?? '');
    if (!secret) return null;
    input.set('challengeSecret', secret);
    return holdSecret(vault, id, secret);
  };

  const parse = (
    { viewer: { texts } }: PageContext<'edit'>,
    form: Form,
    section: PlainSection,
    input: URLSearchParams,
  ): Changes => {
    const seal = (wanted: ChallengeInput | null) => challengeSettings(vault, form.id, wanted);
    const parsed = parseSection(section, form, input, texts, seal);
    if (section !== 'appearance') return parsed;
    const logo = readLogo(input, texts);
    if ('value' in logo) return { ...parsed, logo: logo.value };
    return { ...parsed, errors: { ...parsed.errors, logo: logo.error } };
  };

  /** Looks for the widget of a challenge that is to be turned on. Returns null if it may be. */
  const checkWidget = async (
    { user, team }: PageContext<'edit'>,
    form: Form,
    { challenge }: FormChanges,
    input: URLSearchParams,
  ): Promise<WidgetCheck | null> => {
    if (!challenge || challenge === form.challenge || input.has('anyway')) return null;
    if (!checks.take(user.id, monotonic()).allowed) return { pages: null };
    const found = await checkFormPages(network, team.id, form, challenge, input.get('page')?.trim() ?? '');
    const isReady = found.length > 0 && found.every(({ finding }) => finding === 'ready');
    return isReady && !input.has('check') ? null : { pages: found };
  };

  const saveSection = async (page: PageContext<'edit'>, input: URLSearchParams) => {
    const form = await findForm(page);
    const section = findSection(page);
    if (section === 'fields') return saveFields(page, form, input);
    if (section === 'danger') return setActive(page, form, input);
    const heldSecret = section === 'spam' ? holdSecretOf(form, input) : null;
    const parsed = parse(page, form, section, input);
    const { errors, logo } = parsed;
    const unsaved = { rejected: { input, errors }, logo, heldSecret };
    if (Object.keys(errors).length > 0) return pages.show(page, form, section, unsaved);
    const check = await checkWidget(page, form, parsed.changes, input);
    if (check === null) return save(page, form, section, parsed);
    page.note({}, { action: null });
    return pages.show(page, form, section, { ...unsaved, check });
  };

  return [
    page('/dashboard/forms/:formId/settings', { access: 'edit' }, async (page) =>
      pages.show(page, await findForm(page), 'general', {}),
    ),
    page('/dashboard/forms/:formId/settings/:section', { access: 'edit' }, async (page) =>
      pages.show(page, await findForm(page), findSection(page), {}),
    ),
    action('/dashboard/forms/:formId/settings/:section', { access: 'edit', audit: 'form.changed' }, saveSection),
    ...previewRoutes(context, pages, thanksPage),
  ];
}
