import type { Form } from '../domain/forms/form.ts';
import type { FormAlarm } from '../domain/mail/mail.ts';
import type { Store } from '../storage/store.ts';
import { dashboardUrl } from './dashboard-link.ts';
import type { MailLocale } from './locale.ts';
import { noReplyMail } from './no-reply.ts';
import { shortName } from './subject.ts';

type Deps = Readonly<{ store: Store; baseUrl: string | null; locale: MailLocale }>;

/** Composes the mail about a finding of the checks of a form. Returns null if it no longer applies. */
export async function formAlarmMail({ store, baseUrl, locale }: Deps, form: Form, alarm: FormAlarm) {
  const { language, texts, number, time } = locale;
  const { formAlarm: t } = texts;
  const { pageSeenAt, pageProblem } = await store.formChecks.find(form.id);
  if (alarm === 'page_failing' && pageProblem === null) return null;
  const { lastArrival } = await store.forms.readActivity(form.id);
  const at = (moment: number | null) => (moment === null ? t.never : time(moment, form.timeZone));
  const name = shortName(form.name);
  const page = form.watchPage ?? '';
  const lines = {
    page_failing: [t.problems[pageProblem ?? 'unreachable'](page), t.lastSeen(at(pageSeenAt)), t.pageRemedy],
    page_well: [t.wellText(page)],
    form_silent: [t.lastArrival(at(lastArrival)), t.silenceRemedy],
    confirmations_limited: [t.unsentText, t.unsentRemedy],
    replies_limited: [t.limitText(number(form.autoReplyDailyLimit)), t.limitRemedy],
  }[alarm];
  const url = dashboardUrl(baseUrl, `forms/${form.id}`);
  return noReplyMail({
    language,
    title: t.titles[alarm](name),
    preview: lines[0] ?? '',
    rows: [],
    actions: url === null ? [] : [{ text: t.open, url }],
    notes: lines,
  });
}
