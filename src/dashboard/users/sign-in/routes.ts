import type { Context } from '../../../context/context.ts';
import type { Accounts } from '../../../services/users/accounts.ts';
import { OidcProvider } from '../../../services/users/oidc-provider.ts';
import type { SignInThrottle } from '../../../services/users/sign-in-throttle.ts';
import type { DashboardRoute } from '../../page.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { passkeySignInRoutes } from './passkey.ts';
import { proxyRoutes } from './proxy.ts';
import { resetRoutes } from './reset.tsx';
import { secondFactorChallengeRoutes } from './second-factor.tsx';
import { signInPageRoutes } from './sign-in.tsx';
import { SignInFlow } from './sign-in-flow.ts';
import { welcomeRoutes } from './welcome.tsx';

/** The pages that end in a session: sign-in with its second factor, welcome, and password reset; and the sign-out. */
export function signInRoutes(
  context: Context,
  accounts: Accounts,
  tries: SignInThrottle,
  codeTries: SignInThrottle,
): readonly DashboardRoute[] {
  const flow = new SignInFlow(context, accounts, tries, codeTries);
  const provider = openProvider(context);
  return [
    ...signInPageRoutes(context, flow, provider),
    ...passkeySignInRoutes(context, flow),
    ...(provider ? oidcRoutes(context, flow, provider) : []),
    ...(context.config.authHeader === null ? [] : proxyRoutes(context, flow)),
    ...secondFactorChallengeRoutes(context, flow),
    ...welcomeRoutes(context, flow),
    ...resetRoutes(context, flow),
  ];
}

/** Returns the provider of the settings, which is not contacted yet. */
function openProvider({ config, oidcClientSecret: clientSecret, network, monotonic }: Context): OidcProvider | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcScopes: scopes, allowedPrivateHosts } = config;
  if (issuer === null || clientId === null) return null;
  return new OidcProvider({ issuer, clientId, clientSecret, scopes, allowedPrivateHosts }, network, monotonic);
}
