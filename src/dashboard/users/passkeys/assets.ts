import { join } from 'node:path';
import { bundleScript, scriptHandler } from '../../../http/script.ts';

/** Replaced by `bun run build` with the script, since a binary has no source files. */
declare const FORMSTEAD_PASSKEYS: string | undefined;

/** The script that asks for passkeys. Pages with such a button load it. */
export const PASSKEY_SCRIPT = {
  address: '/dashboard/assets/passkeys.js',
  answer: scriptHandler(async () =>
    typeof FORMSTEAD_PASSKEYS === 'string' ? FORMSTEAD_PASSKEYS : bundlePasskeyScript(),
  ),
};

/** Bundles the script with its part of `@simplewebauthn/browser`. */
export const bundlePasskeyScript = (): Promise<string> => bundleScript(join(import.meta.dir, 'script.js'));
