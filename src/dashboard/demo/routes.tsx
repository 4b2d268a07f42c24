/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../context/admission.ts';
import type { Demo } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import { sessionCookie } from '../../http/session-cookie.ts';
import { isSameText } from '../../lib/is-same-text.ts';
import { SESSION_TTL } from '../../services/users/sessions.ts';
import { type DashboardRoute, page, redirectTo } from '../page.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import type { Viewer } from '../viewer.ts';
import { DEMO_PATH } from './paths.ts';
import { DEMO_TEXTS } from './texts.ts';

type KeptMail = Demo['mailer']['mails'][number];

const MAILS_PATH = `${DEMO_PATH}/mails`;

/** A mail in a frame: no scripts, and nothing from other hosts. */
const FRAME_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  'Cache-Control': 'no-store',
};

/** The pages of a demo: one that signs in, and its mails. */
export function demoRoutes({ config }: SharedContext, demo: Demo): readonly DashboardRoute[] {
  const find = (number: string): KeptMail => {
    const mail = demo.mailer.find(Number(number));
    if (mail) return mail;
    throw new AppError('not_found', 'This mail is not kept any more.');
  };
  return [
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
      body: <Mails viewer={viewer} mails={demo.mailer.mails.toReversed()} />,
    })),
    page(`${MAILS_PATH}/:number`, { access: 'read' }, ({ viewer, param }) => {
      const mail = find(param('number'));
      return { title: mail.subject, section: 'mail', body: <Mail viewer={viewer} mail={mail} /> };
    }),
    page(`${MAILS_PATH}/:number/frame`, { access: 'read' }, ({ param }) => {
      return new Response(find(param('number')).html, { headers: FRAME_HEADERS });
    }),
  ];
}

function Mails({ viewer, mails }: Readonly<{ viewer: Viewer; mails: readonly KeptMail[] }>) {
  const t = DEMO_TEXTS[viewer.language];
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.hint}</p>
      <EntryList items={mails} empty={<EmptyState icon="mail" title={t.none} text={t.noneHint} />}>
        {({ number, subject, to }) => (
          <li>
            <a href={`${MAILS_PATH}/${number}`}>{subject}</a>
            <p class="soft small flush">{t.to(to)}</p>
          </li>
        )}
      </EntryList>
    </>
  );
}

function Mail({ viewer, mail: { number, subject, to } }: Readonly<{ viewer: Viewer; mail: KeptMail }>) {
  const t = DEMO_TEXTS[viewer.language];
  return (
    <>
      <p>
        <a href={MAILS_PATH}>{t.title}</a>
      </p>
      <h1>{subject}</h1>
      <p class="soft">{t.to(to)}</p>
      <iframe
        title={subject}
        src={`${MAILS_PATH}/${number}/frame`}
        sandbox=""
        width="100%"
        height="600"
        frameborder="0"
      />
    </>
  );
}
