import { generateKeyPairSync, verify } from 'node:crypto';
import type { TargetAnswer, TargetRequest } from '../../src/outbox/targets/target.ts';

type Cell = string | number | boolean | null;

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const EMAIL = 'forms@project.iam.gserviceaccount.com';

/** The key of a service account, as Google's console exports it. */
export const CREDENTIALS = JSON.stringify({
  type: 'service_account',
  client_email: EMAIL,
  private_key: privateKey,
  token_uri: 'http://evil.test/token',
});

const failure = (code: number, status: string) =>
  Response.json({ error: { code, status, message: status } }, { status: code });

/** Starts a stub of Google's token endpoint and of one spreadsheet, which has the id `sheet` and 26 columns at first. */
export function startGoogle(sheet: string) {
  const state = { rows: [] as Cell[][], width: 26, tokens: 0, token: 'none', busy: false, requests: [] as string[] };

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const { iss, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const isRight =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      iss === EMAIL &&
      scope === 'https://www.googleapis.com/auth/spreadsheets' &&
      aud === 'https://oauth2.googleapis.com/token' &&
      exp - iat === 3_600;
    if (!isSigned || !isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    state.token = `token${++state.tokens}`;
    return Response.json({ access_token: state.token, expires_in: 3_599, token_type: 'Bearer' });
  }

  function write(at: number, rows: Cell[][]): Response {
    const cells = rows.flat();
    if (cells.some((cell) => typeof cell === 'string' && cell.length > 50_000)) return failure(400, 'INVALID_ARGUMENT');
    if (rows.some(({ length }) => length > state.width)) return failure(400, 'INVALID_ARGUMENT: exceeds grid limits');
    rows.forEach((row, index) => {
      const kept = state.rows[at + index] ?? [];
      row.forEach((cell, column) => {
        if (cell !== null) kept[column] = cell;
      });
      state.rows[at + index] = kept;
    });
    return Response.json({});
  }

  async function spreadsheet(request: Request, path: string, query: URLSearchParams): Promise<Response> {
    if (request.headers.get('authorization') !== `Bearer ${state.token}`) return failure(401, 'UNAUTHENTICATED');
    if (state.busy) return failure(429, 'RESOURCE_EXHAUSTED');
    const text = await request.text();
    if (text.length > 10 * 1024 * 1024) return failure(413, 'too large');
    state.requests.push(`${request.method} ${path.slice(0, 40)}`);
    if (path === '' && request.method === 'GET' && query.get('ranges') === '1:1') {
      const values = (state.rows[0] ?? []).map((cell) => (cell == null ? {} : { formattedValue: String(cell) }));
      const properties = { sheetId: 7, title: "Ada's", gridProperties: { columnCount: state.width } };
      return Response.json({ sheets: [{ properties, data: [values.length > 0 ? { rowData: [{ values }] } : {}] }] });
    }
    const body = JSON.parse(text);
    if (path === ':batchUpdate') {
      const [{ appendDimension }] = body.requests;
      if (appendDimension.sheetId !== 7 || appendDimension.dimension !== 'COLUMNS')
        return failure(400, 'INVALID_ARGUMENT');
      state.width += appendDimension.length;
      return Response.json({});
    }
    // USER_ENTERED would run formulas.
    if (query.get('valueInputOption') !== 'RAW') return failure(400, 'USER_ENTERED');
    if (path === "/values/'Ada''s'!A1" && request.method === 'PUT') return write(0, body.values);
    if (path === "/values/'Ada''s'!A1:append" && state.rows[0]?.[0]) return write(state.rows.length, body.values);
    return failure(400, 'INVALID_ARGUMENT');
  }

  const server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === '/oauth2.googleapis.com/token') return token(request);
      const [, id, path = ''] =
        /^\/sheets\.googleapis\.com\/v4\/spreadsheets\/([\w-]+)(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
      if (id === `${sheet}-private`) return failure(403, 'PERMISSION_DENIED');
      return id === sheet ? spreadsheet(request, path, searchParams) : failure(404, 'NOT_FOUND');
    },
  });

  return {
    state,
    async send({ method, url, headers, body }: TargetRequest): Promise<TargetAnswer> {
      const { host, pathname, search } = new URL(url);
      const response = await fetch(`http://127.0.0.1:${server.port}/${host}${pathname}${search}`, {
        method: method ?? 'POST',
        headers,
        ...(method !== 'GET' && { body }),
      });
      return { status: response.status, headers: response.headers, body: await response.text() };
    },
    stop: () => server.stop(true),
  };
}
