/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../../domain/errors.ts';
import { getRelyingParty, type Passkey } from '../../../domain/users/passkey.ts';
import { browserName } from '../../../http/browser-name.ts';
import { shortHeader } from '../../../http/short-header.ts';
import { toSingleLine } from '../../../lib/one-line.ts';
import { addPasskey } from '../../../services/users/passkeys.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { type ConfirmError, getAnswer, passwordQuestion } from '../../password-check.tsx';
import { Card, ErrorMessage, LinkButton } from '../../ui/elements.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { PASSKEY_TEXTS } from '../passkeys/texts.ts';
import { describeBrowser } from './sessions.tsx';
import { ACCOUNT_TEXTS } from './texts.ts';

const ACCOUNT = '/dashboard/account';
const PATH = `${ACCOUNT}/passkeys`;
const ONE_PATH = `${PATH}/:passkeyId`;
const PASSWORD_PATH = `${ACCOUNT}/password/remove`;
/** The limit of names. */
const LONGEST_NAME = 60;

type OwnPage = PageContext<'self'>;

/** Adds, renames and removes passkeys of an account, and removes its password. */
export const passkeyRoutes: readonly DashboardRoute[] = [
  page(PATH, { access: 'self' }, (page) => show(page)),
  action(PATH, { access: 'self', audit: 'passkey.added' }, add),
  action(ONE_PATH, { access: 'self', audit: 'passkey.renamed' }, rename),
  page(`${ONE_PATH}/remove`, { access: 'self' }, (page) => askToRemove(page)),
  action(`${ONE_PATH}/remove`, { access: 'self', audit: 'passkey.removed' }, remove),
  page(PASSWORD_PATH, { access: 'self' }, (page) => askForPassword(page)),
  action(PASSWORD_PATH, { access: 'self', audit: 'password.removed' }, removePassword),
];

async function show(page: OwnPage, failed: ConfirmError | null = null): Promise<Page> {
  const { context, request, viewer, query, user } = page;
  const t = PASSKEY_TEXTS[viewer.language];
  const { baseUrl } = context.config;
  const name = describeBrowser(viewer, browserName(shortHeader(request, 'user-agent') ?? ''));
  return {
    ...(failed ? getAnswer(failed) : { done: flash(t.done, query) }),
    title: t.title,
    section: 'account',
    body: (
      <>
        <h1>{t.title}</h1>
        <p class="soft">{t.about}</p>
        <EntryList items={await context.store.passkeys.list(user.id)} empty={t.count(0)}>
          {(passkey) => <PasskeyItem viewer={viewer} passkey={passkey} />}
        </EntryList>
        {getRelyingParty(baseUrl, request) ? (
          <Card id="add" title={t.add}>
            <ErrorMessage error={failed?.error} />
            <form method="post" action={PATH}>
              <LineInput
                name="name"
                label={ACCOUNT_TEXTS[viewer.language].name}
                value={name}
                hint={t.nameHint}
                maxlength={LONGEST_NAME}
                required
              />
              <UsernameHint email={user.email} />
              <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
              <PasskeyButton viewer={viewer} purpose="add" />
            </form>
          </Card>
        ) : (
          <p class="note">{t.unavailable(baseUrl)}</p>
        )}
      </>
    ),
  };
}

function PasskeyItem({ viewer, passkey }: Readonly<{ viewer: Viewer; passkey: Passkey }>) {
  const t = PASSKEY_TEXTS[viewer.language];
  const { since, lastUsed } = ACCOUNT_TEXTS[viewer.language];
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <li class="entry">
      <div class="grow">
        <form method="post" action={`${PATH}/${id}`} class="row">
          <input name="name" value={name} aria-label={t.nameOf(name)} maxlength={LONGEST_NAME} required />
          <button class="quiet small">{t.rename}</button>
        </form>
        <div class="soft small">
          {since} <Time viewer={viewer} at={createdAt} /> · {lastUsed} <Time viewer={viewer} at={lastUsedAt} />
        </div>
      </div>
      <LinkButton href={`${PATH}/${id}/remove`} text={t.remove} style="small" label={t.removeOf(name)} />
    </li>
  );
}

async function add(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, request, user, session, viewer, note } = page;
  const t = PASSKEY_TEXTS[viewer.language];
  const party = getRelyingParty(context.config.baseUrl, request);
  if (!party) return show(page, { error: t.unavailable(context.config.baseUrl), status: 409 });
  const wrong = await context.passwords.errorOf(page, form);
  if (wrong) return show(page, wrong);
  const name = toSingleLine(form.get('name') ?? '', LONGEST_NAME) || t.title;
  const question = { party, purpose: 'add', browser: session.id } as const;
  const added = await addPasskey(context, question, user, { answer: form.get('credential') ?? '', name });
  if (typeof added === 'string') {
    return show(page, { error: { refused: t.refused, known: t.known, 'too many': t.tooMany }[added] });
  }
  note({ passkey_id: added.id });
  return redirectTo(`${PATH}?done=added`, await context.passwords.renew(page));
}

async function find({ context, param, user }: OwnPage): Promise<Passkey> {
  const passkey = (await context.store.passkeys.list(user.id)).find(({ id }) => id === param('passkeyId'));
  if (passkey) return passkey;
  throw new AppError('not_found', 'There is no such passkey.');
}

async function rename(page: OwnPage, form: URLSearchParams): Promise<Response> {
  const { context, user, viewer, note } = page;
  const { id } = await find(page);
  const name = toSingleLine(form.get('name') ?? '', LONGEST_NAME) || PASSKEY_TEXTS[viewer.language].title;
  await context.store.passkeys.rename(user.id, id, name);
  note({ passkey_id: id });
  return redirectTo(`${PATH}?done=renamed`);
}

async function askToRemove(page: OwnPage, failed: ConfirmError | null = null): Promise<Page> {
  const t = PASSKEY_TEXTS[page.viewer.language];
  const { id, name } = await find(page);
  const path = `${PATH}/${id}/remove`;
  return passwordQuestion(page, { path, title: t.removeOf(name), text: t.removeText, button: t.remove }, failed);
}

async function remove(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, user, session, viewer } = page;
  const { id } = await find(page);
  const wrong = await context.passwords.errorOf(page, form);
  if (wrong) return askToRemove(page, wrong);
  const isRemoved = await context.store.passkeys.remove(user.id, id, session.id);
  if (!isRemoved) return askToRemove(page, { error: PASSKEY_TEXTS[viewer.language].lastOne, status: 409 });
  return redirectTo(`${PATH}?done=removed`, await context.passwords.renew(page));
}

function askForPassword(page: OwnPage, failed: ConfirmError | null = null): Page {
  const { removePassword: title, removePasswordText: text } = PASSKEY_TEXTS[page.viewer.language];
  return passwordQuestion(page, { path: PASSWORD_PATH, title, text, button: title }, failed);
}

async function removePassword(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, user, session, viewer } = page;
  const wrong = await context.passwords.errorOf(page, form);
  if (wrong) return askForPassword(page, wrong);
  const isRemoved = await context.store.passkeys.removePassword(user.id, session.id);
  if (!isRemoved) return askForPassword(page, { error: PASSKEY_TEXTS[viewer.language].needsMore, status: 409 });
  return redirectTo(`${ACCOUNT}?done=password_removed`, await context.passwords.renew(page));
}
