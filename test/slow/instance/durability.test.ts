import { expect, test } from 'bun:test';
import { signIn } from '../../fast/dashboard/signed-in.ts';
import { startInstance } from '../../support/instance.ts';
import { startPostgres, withClient } from '../../support/postgres.ts';
import { limit } from '../../support/speed.ts';
import { until } from '../../support/until.ts';

test(
  'settings of PostgreSQL that change while it serves are logged once, shown, and refused if they can lose submissions',
  async () => {
    const postgres = await startPostgres();
    const instance = await startInstance({ env: { DATABASE_URL: postgres.url, ENCRYPTION_KEY: '5f'.repeat(32) } });
    const { owner, url, logs } = instance;
    const owns = await signIn(instance, owner);
    const post = async () => (await instance.post(owner.form.id, { message: 'Hello' })).status;
    const change = (setting: string) =>
      withClient(postgres.url, async (client) => {
        await client.query(`ALTER SYSTEM SET ${setting}`);
        await client.query('SELECT pg_reload_conf()');
      });
    const logged = (text: string) => logs.filter((line) => line.includes(text));
    // The job reads every five seconds.
    const untilLogged = (text: string, count = 1) =>
      until(() => logged(text).length === count, `the log: ${text}`, limit(30));
    const readiness = async () => (await fetch(`${url}/readyz`)).status;

    expect(await post()).toBe(200);
    expect(await owns.page('/dashboard/status')).toContain('once PostgreSQL has stored it on 1 machine.');
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /formstead_acknowledged_machines\{instance="[^"]+"\} 1\n/,
    );

    await change('full_page_writes = off');
    await untilLogged('the database has changed: acknowledged means on 1 machine');
    expect(logged('full_page_writes=off')).toHaveLength(1);
    expect(logged('full_page_writes=off')[0]).toContain('"level":"warn"');
    expect(await owns.page('/dashboard/status')).toContain('A power failure could damage the database.');
    expect(await post()).toBe(200);

    await change('fsync = off');
    await untilLogged('submissions are refused');
    expect(logged('fsync=off')[0]).toContain('"level":"error"');
    expect([await post(), await post()]).toEqual([500, 500]);
    expect(logged('request failed')[0]).toContain('"error":"the database server runs with fsync=off');
    expect(await readiness()).toBe(503);
    const status = await owns.page('/dashboard/status');
    expect(status).toContain('Submissions are refused, because of the settings of the database.');
    expect(status).not.toContain('Forms of this team accept submissions.');
    expect(status).toContain('With its present settings PostgreSQL could lose submissions in a crash.');

    await change('fsync = on');
    await untilLogged('the database has changed', 2);
    expect(await post()).toBe(200);
    await until(async () => (await readiness()) === 200, 'readiness', limit(30));
    expect(await instance.stored(owner)).toHaveLength(3);
    await instance.stop();
    await postgres.stop();
  },
  limit(90),
);
