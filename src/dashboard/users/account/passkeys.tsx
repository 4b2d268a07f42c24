/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../../domain/errors.ts';
import { getRelyingParty, type Passkey } from '../../../domain/users/passkey.ts';
import { browserName } from '../../../http/browser-name.ts';
import { shortHeader } from '../../../http/short-header.ts';
import { toSingleLine } from '../../../lib/one-line.ts';
import { addPasskey, creationOptions } from '../../../services/users/passkeys.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { type ConfirmError, getAnswer, passwordQuestion } from '../../password-check.tsx';
import { Card, ErrorMessage, LinkButton, LinkLine } from '../../ui/elements.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { PASSKEY_TEXTS } from '../passkeys/texts.ts';
import { describeBrowser } from './sessions.tsx';

const ACCOUNT = '/dashboard/account';
const PATH = `${ACCOUNT}/passkeys`;
const PASSWORD_PATH = `${ACCOUNT}/password/remove`;
/** The limit of names. */
const LONGEST_NAME = 60;

type OwnPage = PageContext<'self'>;

/** Adds, renames and removes passkeys of an account, and removes its password. */
export const passkeyRoutes: readonly DashboardRoute[] = [
  page(PATH, { access: 'self' }, (page) => show(page)),
  page(`${PATH}/options`, { access: 'self' }, showOptions),
  action(PATH, { access: 'self', audit: 'passkey.added' }, add),
  action(`${PATH}/:passkeyId`, { access: 'self', audit: 'passkey.renamed' }, rename),
  page(`${PATH}/:passkeyId/remove`, { access: 'self' }, (page) => askToRemove(page)),
  action(`${PATH}/:passkeyId/remove`, { access: 'self', audit: 'passkey.removed' }, remove),
  page(PASSWORD_PATH, { access: 'self' }, (page) => askForPassword(page)),
  action(PASSWORD_PATH, { access: 'self', audit: 'password.removed' }, removePassword),
];

async function show(page: OwnPage, failed: ConfirmError | null = null, name?: string): Promise<Page> {
  const { context, request, viewer, query, user } = page;
  const t = PASSKEY_TEXTS[viewer.language];
  const passkeys = await context.store.passkeys.list(user.id);
  const { baseUrl } = context.config;
  const browser = describeBrowser(viewer, { browser: browserName(shortHeader(request, 'user-agent') ?? '') });
  const props = { viewer, email: user.email, passkeys, failed, name: name ?? browser };
  const isAvailable = getRelyingParty(baseUrl, request) !== null;
  return {
    ...(failed ? getAnswer(failed) : { done: flash(t.done, query) }),
    title: t.title,
    section: 'account',
    body: <PasskeysView {...props} unavailable={isAvailable ? null : t.unavailable(baseUrl)} />,
  };
}

async function showOptions({ context, request, user, session }: OwnPage): Promise<Response> {
  const party = getRelyingParty(context.config.baseUrl, request);
  const headers = { 'Cache-Control': 'no-store' };
  if (!party) return Response.json({}, { status: 409, headers });
  const to = { purpose: 'add', browser: session.id } as const;
  return Response.json(await creationOptions(context, party, to, user), { headers });
}

async function add(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, request, user, session, viewer, note } = page;
  const t = PASSKEY_TEXTS[viewer.language];
  const { passwords } = context;
  const name = getName(form, t.title);
  const party = getRelyingParty(context.config.baseUrl, request);
  if (!party) return show(page, { error: t.unavailable(context.config.baseUrl), status: 409 });
  const wrong = await passwords.errorOf(page, form);
  if (wrong) return show(page, wrong, name);
  const to = { purpose: 'add', browser: session.id } as const;
  const added = await addPasskey(context, party, to, user, { credential: form.get('credential') ?? '', name });
  const errors = { refused: t.notAdded, known: t.known, 'too many': t.tooMany };
  if (typeof added === 'string') return show(page, { error: errors[added] }, name);
  note({ passkey_id: added.id });
  return redirectTo(`${PATH}?done=added`, await passwords.renew(page));
}

async function rename({ context, param, user, viewer }: OwnPage, form: URLSearchParams): Promise<Response> {
  const name = getName(form, PASSKEY_TEXTS[viewer.language].title);
  if (await context.store.passkeys.rename(user.id, param('passkeyId'), name)) return redirectTo(`${PATH}?done=renamed`);
  throw notFound();
}

async function askToRemove(page: OwnPage, failed: ConfirmError | null = null): Promise<Page> {
  const t = PASSKEY_TEXTS[page.viewer.language];
  const { id, name } = await find(page);
  return question(page, `${PATH}/${id}/remove`, t.removeOf(name), t.removeText, t.remove, failed);
}

async function remove(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, user, session, viewer } = page;
  const { id } = await find(page);
  const wrong = await context.passwords.errorOf(page, form);
  if (wrong) return askToRemove(page, wrong);
  if (!(await context.store.passkeys.remove(user.id, id, session.id))) {
    return askToRemove(page, { error: PASSKEY_TEXTS[viewer.language].lastOne, status: 409 });
  }
  return redirectTo(`${PATH}?done=removed`, await context.passwords.renew(page));
}

function askForPassword(page: OwnPage, failed: ConfirmError | null = null): Page {
  const { password: t } = PASSKEY_TEXTS[page.viewer.language];
  return question(page, PASSWORD_PATH, t.title, t.text, t.remove, failed);
}

async function removePassword(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, user, session, viewer } = page;
  const wrong = await context.passwords.errorOf(page, form);
  if (wrong) return askForPassword(page, wrong);
  if (!(await context.store.passkeys.removePassword(user.id, session.id))) {
    return askForPassword(page, { error: PASSKEY_TEXTS[viewer.language].password.needsMore, status: 409 });
  }
  return redirectTo(`${ACCOUNT}?done=password_removed`, await context.passwords.renew(page));
}

async function find({ context, param, user }: OwnPage): Promise<Passkey> {
  const passkey = (await context.store.passkeys.list(user.id)).find(({ id }) => id === param('passkeyId'));
  if (passkey) return passkey;
  throw notFound();
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no such passkey.');
}

function getName(form: URLSearchParams, fallback: string): string {
  return toSingleLine(form.get('name') ?? '', LONGEST_NAME) || fallback;
}

function question(
  page: OwnPage,
  path: string,
  title: string,
  text: string,
  button: string,
  failed: ConfirmError | null,
): Page {
  const intro = (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>
  );
  return passwordQuestion(page, { path, title, intro, button }, failed);
}

type ViewProps = Readonly<{
  viewer: Viewer;
  email: string;
  passkeys: readonly Passkey[];
  /** Why browsers refuse passkeys here; null if they don't. */
  unavailable: string | null;
  /** The suggested name of a new passkey. */
  name: string;
  failed: ConfirmError | null;
}>;

/** The passkeys of the user, and the form that adds one. */
function PasskeysView({ viewer, email, passkeys, unavailable, name, failed }: ViewProps) {
  const t = PASSKEY_TEXTS[viewer.language];
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.about}</p>
      {unavailable !== null && <p class="note">{unavailable}</p>}
      <EntryList items={passkeys} empty={t.none} label={t.list}>
        {(passkey) => <PasskeyItem viewer={viewer} passkey={passkey} />}
      </EntryList>
      {unavailable === null && (
        <Card id="add" title={t.add}>
          <ErrorMessage error={failed?.error} />
          <p class="soft">{t.addText}</p>
          <form method="post" action={PATH}>
            <LineInput name="name" label={t.name} value={name} hint={t.nameHint} maxlength={LONGEST_NAME} required />
            <UsernameHint email={email} />
            <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
            <PasskeyButton viewer={viewer} text={t.add} options={`${PATH}/options`} field="credential" isSubmit />
          </form>
        </Card>
      )}
      <LinkLine href={ACCOUNT} text={viewer.texts.sections.account} />
    </>
  );
}

function PasskeyItem({ viewer, passkey }: Readonly<{ viewer: Viewer; passkey: Passkey }>) {
  const t = PASSKEY_TEXTS[viewer.language];
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <li class="entry">
      <div class="grow">
        <form method="post" action={`${PATH}/${id}`} class="row">
          <input name="name" value={name} aria-label={t.nameOf(name)} maxlength={LONGEST_NAME} required />
          <button class="quiet small">{t.rename}</button>
        </form>
        <div class="soft small">
          {t.added} <Time viewer={viewer} at={createdAt} /> · {t.lastUsed} <Time viewer={viewer} at={lastUsedAt} />
        </div>
      </div>
      <LinkButton href={`${PATH}/${id}/remove`} text={t.remove} style="small" label={t.removeOf(name)} />
    </li>
  );
}
