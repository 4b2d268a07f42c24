import { SetupError } from '../errors.ts';

/** A bucket and the place of files in it. `prefix` is empty or ends with a slash; `endpoint` has no trailing slash. */
export type S3Location = Readonly<{
  bucket: string;
  prefix: string;
  endpoint: string;
  region: string;
  /** Name the bucket in the path of a URL instead of its host. */
  forcePathStyle: boolean;
}>;

/** Credentials of a bucket; `sessionToken` is set for temporary ones. */
export type S3Credentials = Readonly<{ accessKeyId: string; secretAccessKey: string; sessionToken: string | null }>;

const EXAMPLE = 's3://my-bucket/formstead?region=eu-central-1';
const PARAMETERS = ['endpoint', 'region', 'forcePathStyle'];

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=…`. Throws `SetupError`, whose message quotes no part
 * that may hold a secret.
 */
export function parseS3Location(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:' || !url.hostname) {
    throw new SetupError(`S3_URL is not an s3:// URL (${text.length} characters). Set it to a URL such as ${EXAMPLE}.`);
  }
  if (url.username || url.password) {
    throw new SetupError(
      'S3_URL contains credentials. Remove them from the URL, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  requireKnown(url);
  const endpoint = parseEndpoint(url.searchParams.get('endpoint'));
  const region = parseRegion(url.searchParams.get('region'), endpoint);
  const forcePathStyle = parseFlag(url.searchParams.get('forcePathStyle')) ?? endpoint !== null;
  return {
    bucket: parseBucket(url),
    prefix: parsePrefix(url.pathname),
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    forcePathStyle,
  };
}

function requireKnown({ searchParams, hash, port }: URL): void {
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    const name = /^[\w-]{1,40}$/.test(unknown) ? unknown : 'one without a valid name';
    throw new SetupError(`S3_URL has an unknown parameter (${name}). Remove it; known are ${PARAMETERS.join(', ')}.`);
  }
  if (hash) throw new SetupError('S3_URL has a part after "#". Remove it.');
  if (port) throw new SetupError('S3_URL has a port behind the bucket. Set the address of the store as endpoint=….');
}

function parseBucket({ hostname }: URL): string {
  if (/^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/.test(hostname)) return hostname;
  throw new SetupError(
    `S3_URL names the bucket "${hostname}", which is not a valid name. Use 3 to 63 letters, digits, dots and hyphens.`,
  );
}

function parsePrefix(pathname: string): string {
  const parts = pathname.split('/').filter(Boolean);
  if (!parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) {
    throw new SetupError(
      'S3_URL has a prefix with other characters than letters, digits, ".", "_", "-" and "/". Choose another prefix.',
    );
  }
  return parts.map((part) => `${part}/`).join('');
}

function parseEndpoint(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.hostname && !url.username && !url.password;
  if (isPlain && url.pathname === '/' && !url.search && !url.hash) return url.origin;
  throw new SetupError(
    'S3_URL has an invalid endpoint. Set it to an http or https URL without a path, such as https://s3.example.com.',
  );
}

function parseRegion(text: string | null, endpoint: string | null): string {
  if (text === null) {
    if (endpoint !== null) return 'us-east-1';
    throw new SetupError(`S3_URL has neither region nor endpoint. Add the region of the bucket, such as ${EXAMPLE}.`);
  }
  if (/^[a-z0-9][a-z0-9-]{0,62}$/i.test(text)) return text;
  throw new SetupError('S3_URL has an invalid region. Set it to a name such as eu-central-1 or auto.');
}

function parseFlag(text: string | null): boolean | null {
  if (text === null) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new SetupError('S3_URL has an invalid forcePathStyle. Set it to true or false.');
}
