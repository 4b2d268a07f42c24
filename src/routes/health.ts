import { Elysia } from 'elysia';

/** Answers 200 as soon as the server takes requests. */
export function healthRoutes() {
  return new Elysia().get('/healthz', () => ({ status: 'ok' }));
}
