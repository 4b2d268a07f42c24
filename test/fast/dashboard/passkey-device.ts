import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Change = Readonly<{
  origin?: string;
  /** The host that the authenticator hashes. */
  host?: string;
  isVerified?: boolean;
  isPresent?: boolean;
  type?: string;
  challenge?: string;
  counter?: number;
  userHandle?: string | undefined;
  /** The format of an attestation, with a statement that proves nothing. */
  format?: string;
}>;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const toText = (data: Uint8Array) => Buffer.from(data).toString('base64url');

/** An authenticator in software with one passkey (ES256), and the browser before it. */
export function makeDevice(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  let handle: string | undefined;

  const clientData = (type: string, challenge: string, change: Change) =>
    Buffer.from(
      JSON.stringify({
        type: change.type ?? type,
        challenge: change.challenge ?? challenge,
        origin: change.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (host: string, change: Change, attested: Buffer = Buffer.alloc(0)) => {
    const { isVerified = true, isPresent = true } = change;
    const head = Buffer.alloc(5);
    head[0] = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (attested.length > 0 ? 0x40 : 0);
    head.writeUInt32BE(change.counter ?? counter, 1);
    return Buffer.concat([sha256(change.host ?? host), head, attested]);
  };

  return {
    id: toText(id),
    /** Counts each use from here on; authenticators that sync stay at 0. */
    count: () => {
      counter += 1;
    },
    /** Creates the passkey, as `navigator.credentials.create` answers. */
    create: ({ challenge, rp, user }: PublicKeyCredentialCreationOptionsJSON, change: Change = {}): string => {
      handle = user.id;
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const authData = new Uint8Array(authenticatorData(rp.id ?? '', change, attested));
      const attestation = new Map<string, unknown>([
        ['fmt', change.format ?? 'none'],
        ['attStmt', change.format ? new Map([['x5c', [new Uint8Array(8)]]]) : new Map()],
        ['authData', authData],
      ]);
      const response = {
        clientDataJSON: toText(clientData('webauthn.create', challenge, change)),
        attestationObject: toText(isoCBOR.encode(attestation as never)),
      };
      return JSON.stringify({
        ...{ id: toText(id), rawId: toText(id), response, type: 'public-key', clientExtensionResults: {} },
      });
    },
    /** Signs a challenge, as `navigator.credentials.get` answers. */
    sign: ({ challenge, rpId = '' }: PublicKeyCredentialRequestOptionsJSON, change: Change = {}): string => {
      const client = clientData('webauthn.get', challenge, change);
      const data = authenticatorData(rpId, change);
      const response = {
        clientDataJSON: toText(client),
        authenticatorData: toText(data),
        signature: toText(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: 'userHandle' in change ? change.userHandle : handle,
      };
      return JSON.stringify({
        ...{ id: toText(id), rawId: toText(id), response, type: 'public-key', clientExtensionResults: {} },
      });
    },
  };
}

/** Returns the options in an answer of the server: of a sign-in, or of a new passkey. */
// biome-ignore lint/suspicious/noExplicitAny: one or the other, as the caller asked
export const readOptions = (answer: Response): Promise<any> => answer.json();

export type Device = ReturnType<typeof makeDevice>;
