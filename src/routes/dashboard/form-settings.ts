import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { CHALLENGE_KINDS } from '../../domain/challenge.ts';
import { AppError } from '../../domain/errors.ts';
import { DIGEST_INTERVALS, type Form, type FormChanges } from '../../domain/form.ts';
import { DAY, type Micros } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { challengeSettings } from '../../services/challenge.ts';
import { draftOf, editedDraft, type FieldsDraft, fieldsView, readDraft, typedDraft } from './form-fields.ts';
import { formHead } from './form-head.ts';
import {
  NEEDS_ADDRESS,
  PARTS,
  type Part,
  type PlainPart,
  readPart,
  SETTINGS,
  SETTINGS_OF,
  type SettingName,
} from './form-parts.ts';
import { checkInput, type Faults, lineInput, selectInput, textInput } from './inputs.ts';
import type { Page } from './layout.ts';
import type { Reader } from './reader.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from './visit.ts';

/** What was typed into a part and was not saved. */
type Tried = Readonly<{ part: PlainPart; typed: URLSearchParams; faults: Faults }>;

/** What a page shows besides the form as it is kept. */
type Extra = Readonly<{ tried?: Tried; draft?: FieldsDraft; saved?: Part | undefined }>;

/** Submissions that the next run deletes are counted so far and no further. */
const MOST_COUNTED = 1_000;

/**
 * After how many days the instance deletes where the form says nothing; and what the next run will delete of this form:
 * `count` that were created before `before`. Null for never.
 */
type Outlook = Readonly<{
  ofInstance: number | null;
  next: Readonly<{ days: number; before: Micros; count: number }> | null;
}>;

/** Everything that the owner decides about a form. */
export function formSettingsPages({ store, vault, mail, clock, config }: Context, visits: Visits) {
  const ownForm = async ({ param, team }: SignedInVisit): Promise<Form> => {
    const form = await store.findForm(param('formId'), team.id);
    if (!form) throw new AppError('not_found', 'There is no such form.');
    return form;
  };

  const outlookOf = async ({ id, retentionDays }: Form): Promise<Outlook> => {
    const days = retentionDays ?? config.retentionDays;
    if (days === null) return { ofInstance: config.retentionDays, next: null };
    const before = clock() - days * DAY;
    const next = { days, before, count: await store.countOlder(id, before, MOST_COUNTED + 1) };
    return { ofInstance: config.retentionDays, next };
  };

  const settingsPage = async (reader: Reader, form: Form, extra: Extra): Promise<Page> => {
    const isRefused = Object.keys({ ...extra.tried?.faults, ...extra.draft?.faults }).length > 0;
    return {
      title: `${reader.texts.form.settings} · ${form.name}`,
      section: 'forms',
      status: isRefused ? 400 : 200,
      body: settingsView(reader, form, extra, mail !== null, await outlookOf(form)),
    };
  };

  return new Elysia()
    .get(
      '/dashboard/forms/:formId/settings',
      visits.page(async (visit) => {
        const saved = PARTS.find((part) => part === visit.query.get('done'));
        return settingsPage(visit.reader, await ownForm(visit), { saved });
      }),
    )
    .post(
      '/dashboard/forms/:formId/settings/:part',
      visits.action(async (visit, sent) => {
        const form = await ownForm(visit);
        const { reader, team } = visit;
        const part = PARTS.find((known) => known === visit.param('part'));
        if (!part) throw new AppError('not_found', 'There is no such part of the settings.');
        const asBefore = new Map<string, unknown>(Object.entries(form));
        const save = async (changes: FormChanges) => {
          await store.updateForm(form.id, changes, team.id);
          const changed = Object.entries(changes).filter(([name, value]) => !Bun.deepEquals(value, asBefore.get(name)));
          visit.note({ settings: changed.map(([name]) => name).join(', ') });
          return redirectTo(`/dashboard/forms/${form.id}/settings?done=${part}#${part}`);
        };
        if (part === 'fields') {
          const typed = typedDraft(sent);
          const edited = editedDraft(typed, sent);
          if (edited) {
            visit.note({}, { action: null });
            return settingsPage(reader, form, { draft: edited });
          }
          const { changes, draft } = readDraft(typed, reader.texts);
          return changes ? save(changes) : settingsPage(reader, form, { draft });
        }
        const { changes, faults } = readPart(part, form, sent, reader.texts, (wanted) =>
          challengeSettings(vault, form.id, wanted),
        );
        if (Object.keys(faults).length === 0) return save(changes);
        return settingsPage(reader, form, { tried: { part, typed: sent, faults } });
      }),
      UNREAD_BODY,
    );
}

function settingsView(
  reader: Reader,
  form: Form,
  { tried, draft, saved }: Extra,
  hasMail: boolean,
  outlook: Outlook,
): Html {
  const { settings: words } = reader.texts;
  const input = (name: SettingName, hint?: string) => ({
    name,
    label: words[name],
    hint,
    value: tried && SETTINGS_OF[tried.part].includes(name) ? (tried.typed.get(name) ?? '') : SETTINGS[name].write(form),
    fault: tried?.faults[name],
  });
  const noMail = !hasMail && html`<p class="note">${words.noMail}</p>`;
  const part = (name: Part, texts: Readonly<{ title: string; text: string }>, body: Html) => {
    const action = `/dashboard/forms/${form.id}/settings/${name}`;
    const isRefused = tried?.part === name || (name === 'fields' && Object.keys(draft?.faults ?? {}).length > 0);
    return html`<section class="part" id="${name}" aria-labelledby="${name}-title">
<div><h2 id="${name}-title">${texts.title}</h2><p class="soft small">${texts.text}</p></div>
<form class="card" method="post" action="${action}#${name}" data-part>
<button class="visually-hidden" tabindex="-1" aria-hidden="true">${reader.texts.common.save}</button>
${saved === name && html`<p class="done" role="status">${words.saved}</p>`}${isRefused && html`<p class="error" role="alert">${words.notSaved}</p>`}
${body}
<div class="row"><button>${reader.texts.common.save}</button>${
      name === 'fields' && draft && !isRefused && html`<span class="soft" role="status">${words.changed}</span>`
    }</div></form></section>`;
  };
  return html`${formHead(reader, form, 'settings')}
${part('general', { title: words.general, text: words.generalText }, html`${lineInput(input('name'), html`required maxlength="200"`)}${checkInput(input('isActive', words.isActiveHint))}`)}
${part('fields', { title: words.fields, text: words.fieldsText }, fieldsView(reader, draft ?? draftOf(form), `/dashboard/forms/${form.id}/settings/fields`))}
${part(
  'after',
  { title: words.after, text: words.afterText },
  html`${lineInput(input('redirectUrl', words.redirectUrlHint), html`type="url" inputmode="url"`)}
${lineInput(input('thanksTitle', words.thanksHint))}${textInput(input('thanksText', words.thanksHint), 3)}`,
)}
${part(
  'access',
  { title: words.access, text: words.accessText },
  html`${textInput(input('allowedOrigins', words.allowedOriginsHint), 3)}${textInput(input('allowedFileTypes', words.allowedFileTypesHint), 3)}`,
)}
${part(
  'spam',
  { title: words.spam, text: words.spamText },
  html`${challengeView(reader, form, tried)}${textInput(input('blockedWords', words.blockedWordsHint), 3)}`,
)}
${part(
  'mail',
  { title: words.mail, text: words.mailText },
  html`${noMail}${textInput(input('notify', words.notifyHint), 3)}
${selectInput(input('digest'), [['', words.digests.none], ...DIGEST_INTERVALS.map((rhythm) => [rhythm, words.digests[rhythm]] as const)])}
${lineInput(input('timeZone', words.timeZoneHint), html`list="time-zones" spellcheck="false"`)}
<datalist id="time-zones">${Intl.supportedValuesOf('timeZone').map((zone) => html`<option>${zone}`)}</datalist>
${checkInput(input('attachFiles'))}${checkInput(input('threadMails'))}`,
)}
${part(
  'reply',
  { title: words.reply, text: words.replyText },
  html`${noMail}${lineInput(input('autoReplySubject'))}${textInput(input('autoReplyText', words.autoReplyTextHint), 6)}
<p class="soft small">${words.placeholders} ${placeholders(form)}</p>`,
)}
${part(
  'retention',
  reader.texts.retention,
  html`${lineInput(input('retentionDays', reader.texts.retention.hint(outlook.ofInstance)), html`inputmode="numeric"`)}
${outlookView(reader, outlook)}`,
)}`;
}

/** What will be deleted by its age, and when. */
function outlookView(reader: Reader, { next }: Outlook): Html {
  const { retention: words } = reader.texts;
  if (next === null) return html`<p>${words.never}</p>`;
  const { days, before, count } = next;
  const many = count > MOST_COUNTED ? words.moreThan(reader.number(MOST_COUNTED)) : words.about(count);
  return html`<p>${words.hourly(days)} ${
    count === 0 ? words.noneYet : html`${words.next(many)} ${reader.time(before)}.`
  }</p>`;
}

function placeholders({ fields }: Form): Html[] {
  const names =
    fields.length > 0 ? fields.filter(({ type }) => type !== 'file').map(({ name }) => name) : ['name', 'email'];
  return names.map((name) => html`<code>{{${name}}}</code> `);
}

/** What a kind does not need is hidden by the style: see `.challenge`. */
function challengeView({ texts }: Reader, form: Form, tried: Tried | undefined): Html {
  const { settings: words } = texts;
  const typed = tried?.part === 'spam' ? tried.typed : null;
  const kinds = ['none', 'altcha', ...CHALLENGE_KINDS.filter((kind) => kind !== 'altcha')] as const;
  const kept = form.challenge && NEEDS_ADDRESS.includes(form.challenge) ? form.challengeVerifyUrl : null;
  const secret = {
    name: 'challengeSecret',
    label: words.challengeSecret,
    hint: form.challengeSecret ? words.secretSet : words.secretHint,
    value: '',
    fault: tried?.faults.challengeSecret,
  };
  const address = {
    name: 'challengeVerifyUrl',
    label: words.challengeVerifyUrl,
    hint: words.challengeVerifyUrlHint,
    value: typed?.get('challengeVerifyUrl') ?? kept ?? '',
    fault: tried?.faults.challengeVerifyUrl,
  };
  const choice = {
    name: 'challenge',
    label: words.challenge,
    hint: words.challengeHint,
    value: typed?.get('challenge') ?? form.challenge ?? 'none',
  };
  return html`<div class="challenge">${selectInput(
    choice,
    kinds.map((kind) => [kind, words.challenges[kind]]),
  )}
<div class="of-service">${lineInput(secret, html`type="password" spellcheck="false"`)}</div>
<div class="of-address">${lineInput(address, html`inputmode="url" spellcheck="false"`)}</div></div>`;
}
