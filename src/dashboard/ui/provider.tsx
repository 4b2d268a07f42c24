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
export function startPath(to: string): string {
  return `/dashboard/oidc/start?to=${encodeURIComponent(to)}`;
}

type ButtonProps = Readonly<{ viewer: Viewer; provider: string; to: string }>;

/** The link that signs in by the provider. It is no form, which the policy of our pages keeps from leading elsewhere. */
export function ProviderButton({ viewer, provider, to }: ButtonProps) {
  return <LinkButton href={startPath(to)} text={OIDC_TEXTS[viewer.language].signIn(provider)} style="main" />;
}
