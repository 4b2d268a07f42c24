/** A call as the service received it. */
export type AkismetCall = Readonly<{
  path: string;
  fields: Readonly<Record<string, string>>;
  userAgent: string | null;
}>;

/** The key that the stub takes. */
export const AKISMET_KEY = 'a1b2c3d4e5f6';

/** Parameters that the API reference of Akismet has for a comment. */
const DOCUMENTED = new Set(
  (
    'api_key blog user_ip user_agent referrer permalink comment_type comment_author comment_author_email ' +
    'comment_author_url comment_content comment_date_gmt comment_post_modified_gmt blog_lang blog_charset user_role ' +
    'is_test recheck_reason honeypot_field_name comment_context'
  ).split(' '),
);

/**
 * Starts a service that speaks Akismet's protocol and is strict about it. The author `akismet-guaranteed-spam` is spam,
 * as the reference says. `answer` replaces the response to a comment check.
 */
export function startAkismet(answer: () => Promise<Response> | Response | null = () => null) {
  const calls: AkismetCall[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      const type = request.headers.get('content-type') ?? '';
      if (request.method !== 'POST' || !type.startsWith('application/x-www-form-urlencoded')) {
        return new Response('Method or type not allowed.', { status: 405 });
      }
      const fields = Object.fromEntries(new URLSearchParams(await request.text()));
      calls.push({ path, fields, userAgent: request.headers.get('user-agent') });
      const isCheck = path === '/1.1/comment-check';
      return (isCheck && (await answer())) || respond(path, fields);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, calls, stop: () => server.stop(true) };
}

function respond(path: string, fields: Readonly<Record<string, string>>): Response {
  if (path === '/1.1/verify-key') {
    const isValid = fields.key === AKISMET_KEY && URL.canParse(fields.blog ?? '');
    return isValid ? new Response('valid') : invalid('We were unable to parse your key.');
  }
  if (path !== '/1.1/comment-check') return new Response('Not found.', { status: 404 });
  if (fields.api_key !== AKISMET_KEY) return invalid('We were unable to parse your key.');
  if (!URL.canParse(fields.blog ?? '')) return invalid('Empty "blog" value');
  if (!fields.user_ip) return new Response('Missing required field: user_ip.');
  const unknown = Object.keys(fields).filter((name) => !DOCUMENTED.has(name));
  if (unknown.length > 0) return invalid(`Unknown: ${unknown.join()}`);
  return new Response(String(fields.comment_author === 'akismet-guaranteed-spam'));
}

function invalid(help: string): Response {
  return new Response('invalid', { headers: { 'X-akismet-debug-help': help } });
}
