/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Session } from '../../../domain/users/user.ts';
import { LinkButton, PostButton } from '../../ui/elements.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';

const PATH = '/dashboard/account/sessions';

type Props = Readonly<{ viewer: Viewer; sessions: readonly Session[]; current: Session }>;

/** The sessions of the user. */
export function SessionList({ viewer, sessions, current }: Props) {
  const { account: t } = viewer.texts;
  return (
    <div class="stack">
      <EntryList items={sessions}>
        {(session) => <SessionItem viewer={viewer} session={session} isCurrent={session.id === current.id} />}
      </EntryList>
      <p class="flush">
        <LinkButton href={`${PATH}/end`} text={t.everywhere} />
      </p>
    </div>
  );
}

type ItemProps = Readonly<{ viewer: Viewer; session: Session; isCurrent: boolean }>;

function SessionItem({ viewer, session, isCurrent }: ItemProps) {
  const { account: t } = viewer.texts;
  const { address, createdAt, lastUsedAt } = session;
  const label = t.endOf(getBrowser(viewer, session), address);
  // Another session needs the password.
  const path = `${PATH}/${session.id}/end`;
  return (
    <li class="entry">
      <div class="grow">
        <strong>{getBrowser(viewer, session)}</strong> {isCurrent && <span class="badge good">{t.thisSession}</span>}
        <div class="soft small">
          {address} · {t.since} <Time viewer={viewer} at={createdAt} /> · {t.lastUsed}{' '}
          <Time viewer={viewer} at={lastUsedAt} />
        </div>
      </div>
      {isCurrent ? (
        <PostButton action={path} text={t.end} style="small" label={label} />
      ) : (
        <LinkButton href={path} text={t.end} style="small" label={label} />
      )}
    </li>
  );
}

/** Returns browser and system of a session, in the viewer's language. */
export function getBrowser({ texts: { account: t } }: Viewer, { browser }: Session): string {
  const [name = '', system] = browser.split(', ');
  return (system === undefined ? name : t.browserOn(name, system)) || t.unknownBrowser;
}
