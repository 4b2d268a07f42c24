/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Demo } from '../../context/context.ts';
import type { SharedContext } from '../../context/server-context.ts';
import { AppError } from '../../domain/errors.ts';
import { sessionCookie } from '../../http/session-cookie.ts';
import type { Micros } from '../../lib/clock.ts';
import { isSameText } from '../../lib/is-same-text.ts';
import { SESSION_TTL } from '../../services/users/sessions.ts';
import { type DashboardRoute, page, redirectTo, withAssets } from '../page.ts';
import { featureAssets } from '../ui/assets.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LinkLine } from '../ui/elements.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { Ago, Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { DEMO_PATH } from './paths.ts';
import style from './style.css' with { type: 'text' };
import { DEMO_TEXTS } from './texts.ts';

type KeptMail = Demo['mailer']['mails'][number];

const ASSETS = featureAssets('demo', style);
const MAILS_PATH = `${DEMO_PATH}/mails`;

/** A mail in a frame: no scripts, and nothing from other hosts. */
const FRAME_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  'Cache-Control': 'no-store',
};

/** The pages of a demo: one that signs in, and its mails. */
export function demoRoutes({ config, clock }: SharedContext, demo: Demo): readonly DashboardRoute[] {
  const find = (number: string): KeptMail => {
    const mail = demo.mailer.find(Number(number));
    if (mail) return mail;
    throw new AppError('not_found', 'This mail is not kept any more.');
  };
  return withAssets(ASSETS, [
    page(DEMO_PATH, { access: 'open' }, ({ request, query }) => {
      if (demo.token !== null && !isSameText(query.get('token') ?? '', demo.token)) {
        throw new AppError('not_found', 'Open the link that the demo printed.');
      }
      const cookie = sessionCookie(request, config.baseUrl, demo.session, SESSION_TTL);
      return redirectTo('/dashboard/inbox', { 'Set-Cookie': cookie });
    }),
    page(MAILS_PATH, { access: 'read' }, ({ viewer }) => ({
      title: DEMO_TEXTS[viewer.language].title,
      section: 'mail',
      body: <Mails viewer={viewer} mails={demo.mailer.mails.toSorted((a, b) => b.date - a.date)} now={clock()} />,
    })),
    page(`${MAILS_PATH}/:number`, { access: 'read' }, ({ viewer, param }) => {
      const mail = find(param('number'));
      return { title: mail.subject, section: 'mail', body: <Mail viewer={viewer} mail={mail} /> };
    }),
    page(`${MAILS_PATH}/:number/frame`, { access: 'read' }, ({ param }) => {
      return new Response(find(param('number')).html, { headers: FRAME_HEADERS });
    }),
  ]);
}

function Mails({ viewer, mails, now }: Readonly<{ viewer: Viewer; mails: readonly KeptMail[]; now: Micros }>) {
  const t = DEMO_TEXTS[viewer.language];
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.hint}</p>
      <EntryList items={mails} empty={<EmptyState icon="mail" title={t.none} text={t.noneHint} />}>
        {(mail) => (
          <li class="mail">
            <Avatar name={(mail.senderName ?? mail.to).split(' via ')[0] ?? ''} of={mail.senderName ?? mail.to} />
            <a class="cover" href={`${MAILS_PATH}/${mail.number}`}>
              {mail.subject}
            </a>
            <span class="soft small">
              <Ago viewer={viewer} at={mail.date} now={now} />
            </span>
            <p class="soft small flush">{getParties(viewer, mail)}</p>
          </li>
        )}
      </EntryList>
    </>
  );
}

function Mail({ viewer, mail }: Readonly<{ viewer: Viewer; mail: KeptMail }>) {
  const { number, subject, date } = mail;
  return (
    <>
      <LinkLine href={MAILS_PATH} text={DEMO_TEXTS[viewer.language].all} isSmall />
      <h1>{subject}</h1>
      <p class="soft">
        {getParties(viewer, mail)} · <Time viewer={viewer} at={date} />
      </p>
      <iframe class="pane" title={subject} src={`${MAILS_PATH}/${number}/frame`} sandbox="" width="680" height="640" />
    </>
  );
}

/** Returns the sender's name, if there is one, and the recipient. */
function getParties(viewer: Viewer, { senderName, to }: KeptMail): string {
  return [senderName, DEMO_TEXTS[viewer.language].to(to)].filter(Boolean).join(' · ');
}
