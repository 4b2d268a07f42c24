import { describe, expect, test } from 'bun:test';
import { drip } from '../fast/visitor/drip.ts';
import { URLENCODED } from '../fast/visitor/helpers.ts';
import { head } from '../fast/visitor/wire.ts';
import { spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';
import { createTeamWithForm, instances, post } from './command-line.ts';

const instance = instances();

const BODY = [`Content-Type: ${URLENCODED}`, 'Content-Length: 1000'];

// Bun closes a connection with an incomplete request head after more than 10 s.
describe('500 connections that send one byte per second do not block others, and are closed:', () => {
  test.concurrent.each<[string, (id: string) => string, number | undefined]>([
    ['in their bodies', (id) => `${head(id, ...BODY)}a=`, 408],
    ['in their heads', (id) => `POST /v1/forms/${id}/submissions HTTP/1.1\r\nHost: localhost\r\nX-Long: `, undefined],
  ])(
    '%s',
    async (_where, start, status) => {
      const dir = instance();
      const { form } = await createTeamWithForm(dir);
      const server = await spawnServer(dir, { BODY_SECONDS: '3' });
      const drips = Array.from({ length: 500 }, () => drip(server, start(form.id), 'x', 1_000));
      await Promise.all(drips.map(({ opened }) => opened));
      const posts = await Promise.all(Array.from({ length: 100 }, () => post(server.url, form.id)));
      expect(posts.filter((answer) => answer.status !== 200)).toEqual([]);
      const answers = await Promise.all(drips.map(({ closed }) => closed));
      expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([status]));
      expect((await post(server.url, form.id)).status).toBe(200);
      await server.end();
    },
    limit(60),
  );
});
