/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Identity } from '../../../domain/users/user.ts';
import type { Micros } from '../../../lib/clock.ts';
import { action, type DashboardRoute, type PageContext, redirectTo } from '../../page.ts';
import { LinkButton, Part, PostButton } from '../../ui/elements.tsx';
import { startPath } from '../../ui/provider.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { OIDC_TEXTS } from '../sign-in/oidc/texts.ts';

const UNLINK = '/dashboard/oidc/unlink';

/** Unlinks the account from an OIDC provider. */
export function identityRoutes({ store }: Context): readonly DashboardRoute[] {
  const unlink = async ({ user, session, viewer, note }: PageContext<'self'>, form: URLSearchParams) => {
    if (!viewer.hasPassword) {
      throw new AppError('conflict', 'This account has no password. Set one first.', { reason: ['no_other_sign_in'] });
    }
    const isGone = await store.identities.remove(user.id, form.get('issuer') ?? '', session.id);
    if (!isGone) note({}, { action: null });
    return redirectTo(`/dashboard/account${isGone ? '?done=unlinked' : ''}`);
  };

  return [action(UNLINK, { access: 'self', audit: 'identity.unlinked', needsPassword: () => true }, unlink)];
}

/** Linked accounts, with the times of linking. */
export type LinkedIdentities = ReadonlyArray<Identity & Readonly<{ createdAt: Micros }>>;

type Props = Readonly<{ viewer: Viewer; provider: string; identities: LinkedIdentities }>;

/** The accounts at providers that sign the user in. */
export function IdentityPart({ viewer, provider, identities }: Props) {
  const { account: t } = OIDC_TEXTS[viewer.language];
  return (
    <Part id="provider" title={t.title} text={t.about(provider)}>
      <div class="stack">
        {identities.map(({ issuer, createdAt }) => (
          <div class="card row">
            <span class="grow">
              {new URL(issuer).host} · {t.since} <Time viewer={viewer} at={createdAt} />
            </span>
            {viewer.hasPassword && <PostButton action={UNLINK} text={t.unlink} name="issuer" value={issuer} />}
          </div>
        ))}
        {identities.length === 0 && (
          <div class="card row">
            <span class="grow">{t.none}</span>
            <LinkButton href={`${startPath('/dashboard/account')}&link=yes`} text={t.link} />
          </div>
        )}
      </div>
    </Part>
  );
}
