/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { OIDC_TEXTS } from '../users/sign-in/oidc/texts.ts';
import type { Viewer } from '../viewer.ts';
import { LinkButton } from './elements.tsx';

/** Returns the name of the OIDC provider; null if none is configured. */
export function getProviderName({ oidcName, oidcIssuer }: Context['config']): string | null {
  return oidcIssuer === null ? null : (oidcName ?? new URL(oidcIssuer).host);
}

/** Returns the address that begins a sign-in by the provider; `to` is the page to open after it. */
export const startPath = (to: string): string => `/dashboard/oidc/start?to=${encodeURIComponent(to)}`;

type ButtonProps = Readonly<{ viewer: Viewer; config: Context['config']; to: string }>;

/** The link that signs in by the provider, if there is one. Our policy would keep a form from leading there. */
export function ProviderButton({ viewer, config, to }: ButtonProps) {
  const provider = getProviderName(config);
  if (provider === null) return null;
  return (
    <p>
      <LinkButton href={startPath(to)} text={OIDC_TEXTS[viewer.language].signIn(provider)} style="main" />
    </p>
  );
}
