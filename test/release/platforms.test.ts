import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { REPOSITORY } from '../../.ci/repository.ts';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { documentText, namedBlock } from '../support/documents.ts';

/** Checks files for platforms, which do not run here, against the image and the settings. */

type Compose = {
  services: { formstead: { image: string; environment: Record<string, string>; expose: string[]; volumes: string[] } };
  volumes: object;
};

const dockerfile = await Bun.file(join(import.meta.dir, '../../Dockerfile')).text();
const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1] ?? '';
const volume = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1] ?? '';

test('the compose file for platforms fits the image, and its settings are accepted', () => {
  const { services, volumes } = Bun.YAML.parse(namedBlock('platform')) as Compose;
  const { image, environment, expose, volumes: mounts } = services.formstead;
  expect(image).toStartWith(`ghcr.io/${REPOSITORY}:`);
  expect([expose, mounts, Object.keys(volumes)]).toEqual([[port], [`formstead:${volume}`], ['formstead']]);
  expect(loadConfig(environment).baseUrl).toBe('https://forms.example.com');
});

test('the settings for Fly.io fit the image and are accepted', () => {
  const fly = Bun.TOML.parse(namedBlock('fly')) as {
    env: Record<string, string>;
    mounts: { destination: string };
    http_service: { internal_port: number };
  };
  expect([fly.mounts.destination, String(fly.http_service.internal_port)]).toEqual([volume, port]);
  expect(loadConfig(fly.env).baseUrl).toBe('https://my-forms.fly.dev');
});

test('the addresses of six mail providers are accepted', () => {
  const urls = Array.from(
    documentText('src/manual/deliverability.md').matchAll(/`(smtps?:\/\/[^`]+)`/g),
    ([, url = '']) => url,
  );
  expect(urls.length).toBe(6);
  for (const url of urls) {
    expect(loadSecrets({ SMTP_URL: url, MAIL_FROM: 'forms@example.com' }, () => '').smtpUrl).toBe(url);
  }
});
