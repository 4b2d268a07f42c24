/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { Access } from '../../domain/teams/roles.ts';
import logo from '../../http/assets/logo.svg' with { type: 'text' };
import type { Notices } from '../notices.ts';
import { TEAM_TEXTS } from '../teams/texts.ts';
import type { Viewer } from '../viewer.ts';
import { Avatar } from './avatar.tsx';
import { countUpTo99 } from './count.ts';
import { Drawing } from './empty-state.tsx';
import { Icon, type IconName } from './icon.tsx';

type WithViewer = Readonly<{ viewer: Viewer }>;

/** A section of the navigation. */
export type Section = keyof Viewer['texts']['sections'];

type Place = readonly [section: Section, path: string, access: Access, icon: IconName];

const SECTIONS: readonly Place[] = [
  ['inbox', '/dashboard/inbox', 'read', 'inbox'],
  ['forms', '/dashboard/forms', 'read', 'forms'],
  ['mail', '/dashboard/mail', 'read', 'mail'],
];

/** The menu of the team and the server. */
const MORE: readonly Place[] = [
  ['team', '/dashboard/team', 'read', 'team'],
  ['keys', '/dashboard/keys', 'manage', 'key'],
  ['spam', '/dashboard/spam', 'manage', 'spam'],
  ['audit', '/dashboard/audit', 'manage', 'lines'],
  ['erase', '/dashboard/erase', 'manage', 'trash'],
  ['status', '/dashboard/status', 'manage', 'status'],
  ['usage', '/dashboard/usage', 'read', 'usage'],
];

type Props = WithViewer & Readonly<{ current: Section; notices: Notices; path: string }>;

/** The header of signed-in pages: team, sections and user menu. `path` is the address of the page. */
export function Header({ viewer, current, notices, path }: Props) {
  return (
    <header class="top">
      <a class="brand" href="/dashboard">
        {raw(logo)} <span>Formstead</span>
      </a>
      <TeamMenu viewer={viewer} />
      {viewer.can('read') && <Sections viewer={viewer} current={current} notices={notices} />}
      <PersonMenu viewer={viewer} path={path} />
    </header>
  );
}

function Sections({ viewer, current, notices }: Omit<Props, 'path'>) {
  const { texts } = viewer;
  const failedMails = notices.alerts?.failedRecipients.length ?? 0;
  const showsUsage = notices.isLimited && viewer.seesAll;
  const more = MORE.filter(([section, , access]) => viewer.can(access) && (section !== 'usage' || showsUsage));
  return (
    <nav class="sections" aria-label={texts.navigation}>
      <ul>
        {SECTIONS.map(([section, href, , icon]) => (
          <li>
            <a href={href} aria-current={section === current ? 'page' : undefined}>
              <Icon name={icon} />
              {texts.sections[section]}
              {section === 'mail' && failedMails > 0 && viewer.can('edit') && (
                <>
                  {' '}
                  <span class="badge bad">
                    {countUpTo99(viewer, failedMails)} <span class="visually-hidden">{texts.failedMails}</span>
                  </span>
                </>
              )}
            </a>
          </li>
        ))}
        <li>
          <details class="menu" name="header">
            <summary class={more.some(([section]) => section === current) ? 'current' : undefined}>
              <span class="wide">
                <Icon name="settings" /> {texts.teamAndServer}
              </span>
              <span class="narrow">
                <Icon name="more" /> {texts.more}
              </span>
              <Icon name="down" />
            </summary>
            <div>
              {more.map(([section, href, , icon]) => (
                <a href={href} aria-current={section === current ? 'page' : undefined}>
                  <Icon name={icon} /> {texts.sections[section]}
                </a>
              ))}
            </div>
          </details>
        </li>
      </ul>
    </nav>
  );
}

/** The header of pages that need no session. */
export function PlainHeader({ viewer }: Readonly<{ viewer: Viewer }>) {
  return (
    <header class="top">
      <span class="brand">{raw(logo)} Formstead</span>
      <div class="promise">
        <Drawing icon="check" />
        <p>{viewer.texts.promise}</p>
      </div>
    </header>
  );
}

/** The name of the current team; the menu switches to another one. */
function TeamMenu({ viewer }: WithViewer) {
  const { texts, membership, memberships } = viewer;
  if (!membership) return null;
  const { team } = membership;
  return (
    <details class="menu team" name="header">
      <summary>
        <span class="visually-hidden">{TEAM_TEXTS[viewer.language].switchTo}: </span>
        <Avatar name={team.name} of={team.id} /> <span class="name">{team.name}</span> <Icon name="down" />
      </summary>
      <div>
        {memberships.length > 1 && (
          <form method="post" action="/dashboard/team/switch">
            {memberships.map(({ team: { id, name } }) => (
              <button name="team" value={id} aria-pressed={id === team.id ? 'true' : 'false'}>
                <span class="name grow">{name}</span>
                {id === team.id && <Icon name="check" />}
              </button>
            ))}
            <hr />
          </form>
        )}
        <a href="/dashboard/team">
          <Icon name="settings" /> {texts.teamSettings}
        </a>
      </div>
    </details>
  );
}

/** The menu of the user: account, theme, manual and sign-out. */
function PersonMenu({ viewer, path }: WithViewer & Readonly<{ path: string }>) {
  const { texts, person } = viewer;
  if (!person) return null;
  const name = person.name ?? person.email;
  return (
    <details class="menu end person" name="header">
      <summary>
        <Avatar name={name} of={person.email} />
        <span class="name">{name}</span>
      </summary>
      <div>
        <p>{person.email}</p>
        <a href="/dashboard/account">
          <Icon name="account" /> {texts.sections.account}
        </a>
        <a href={viewer.language === 'de' ? '/docs/de' : '/docs'}>
          <Icon name="help" /> {texts.manual}
        </a>
        <hr />
        <form method="post" action="/dashboard/account/theme">
          <input type="hidden" name="to" value={path} />
          <div class="three" role="group" aria-label={texts.themes.label}>
            {THEME_ICONS.map(([theme, icon]) => (
              <button name="theme" value={theme} aria-pressed={theme === (person.theme ?? '') ? 'true' : 'false'}>
                <Icon name={icon} /> {texts.themes[theme || 'system']}
              </button>
            ))}
          </div>
        </form>
        <hr />
        <SignOut viewer={viewer} />
      </div>
    </details>
  );
}

const THEME_ICONS = [
  ['', 'theme'],
  ['light', 'sun'],
  ['dark', 'moon'],
] as const;

/** The button that ends the session. */
export function SignOut({ viewer: { texts } }: WithViewer) {
  return (
    <form method="post" action="/dashboard/sign-out">
      <button class="quiet">
        <Icon name="leave" /> {texts.signOut}
      </button>
    </form>
  );
}
