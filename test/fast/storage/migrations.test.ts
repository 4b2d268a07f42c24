import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../support/old-database.ts';

const FOLDER = join(import.meta.dir, '../../../drizzle');

/** The SHA-256 of each migration. Databases store it: never change a line, only add one for a new migration. */
const FROZEN = {
  '0000_first': '56ed79f323d66efd7a620c3c7e0537c76f3f3f5cf55cdc5f325fd87a23fc5cc9',
  '0001_files': '5ec68d622e673c4d6b0988609f17d20a1bf97f90da99c5518aa3db557b2b79d8',
  '0002_spam': 'be950125f2126eb4893a872414698603b2e1be53c79847e70eda3e03761d2fb4',
  '0003_mail': 'f3f60cbc91539b639eacd0c8adb10c9c2566c8188445cb07b168cb03241a0d4d',
  '0004_people': 'e70215e48632bc2b4255cdb6cba21b41f3695354784f4d33010671db5bd09288',
  '0005_rights': '878e56dce7264acac4b619f0f7ec83b363c89b1d7da39c75f7edbd8db80b9772',
  '0006_vault_rotation': '3f00c4c94af1d40ea1e829b80b86d4de51ac03d2a9224de11fb324224105093d',
  '0007_authority': '22f08de45c611a90237e8e1b887dc768a22cfdc7ea0273567e2d2a90fdafbade',
  '0008_mail_claims': '1f89057336a0e4f912c30e72a789087275caa2c33aa099d18f55bf0a7e6176ff',
  '0009_storage': 'ab1a02b4953466a1e03b45e350a1ae375b21265ce109c5d79b4b95534f5366c3',
  '0010_webhooks': '102b82e3e3ccd241c9428de181d8ac8a33a9fa827391f8ab09090f1d07aac056',
  '0011_notify_conditions': 'aee141f785c5bc372038705ce2f1d8eb59e6981ff2ebc9a9d7eb8a39e0ba29e2',
  '0012_inbox': 'ff0d7701ec092d5de4a1f7ab71879b8c2d1d6192e5b540e64bc910d33f87cd40',
  '0013_api_requests': 'ca25a08170ddf96ca9074fe48485e79a9d1be6a8aec5b490936ca8c085601f34',
  '0014_imports': '9ed2acd2e247639264a88410983379329140d2737075eb7f5a1492fbc7e5147a',
  '0015_spam_learning': '42e503c8725505fac04a108aeb5ec5cd00b304a6582b6b7d39b2cec90cbbd7e3',
  '0016_accept_indexes': 'f95d10a27320da4f3b03d91ea83b235fc1da8c76b79cfc3cfedde5a23c4cc157',
  '0017_instances': '2cc348655f555516ee6587bb44371e91ff8a087f08673d0c6fff1210bbec6f7b',
};

test('no migration has been edited, and each is listed', () => {
  const checksums = MIGRATIONS.map((name) => [
    name,
    new Bun.CryptoHasher('sha256').update(readFileSync(join(FOLDER, `${name}.sql`))).digest('hex'),
  ]);
  expect(Object.fromEntries(checksums)).toEqual(FROZEN);
});
