import { join } from 'node:path';
import formstead from '../package.json';

/**
 * Prints the notes of a release as Markdown: `bun .ci/release-notes.ts v0.2.0`. They are the version's section of the
 * changelog and the commands to install and verify it. Fails if the tag and package.json differ, or if the section is
 * missing or empty.
 */

const CHANGELOG = 'src/manual/changelog.md';

/** Returns the section of a version without its heading. Throws if a release can't be made of it. */
export function changesIn(changelog: string, version: string): string {
  const [, ...sections] = `\n${changelog}`.split(/\n## (?=\d)/);
  const section = sections.find((each) => each.split(/\s/, 1)[0] === version);
  if (!section) throw new Error(`${CHANGELOG} has no section for ${version}. Add "## ${version}".`);
  const [, ...lines] = section.split('\n');
  const text = lines.join('\n').trim();
  if (text === '') throw new Error(`The section for ${version} in ${CHANGELOG} is empty. Describe the changes.`);
  return text;
}

/** Returns a version's notes for the repository at an address such as `https://github.com/OWNER/REPOSITORY`. */
export function releaseNotes(changelog: string, version: string, address: string): string {
  const chapters = `${address}/blob/v${version}/src/manual/`;
  const changes = changesIn(changelog, version).replace(/\]\((?![a-z]+:)([^)]+)\)/g, `](${chapters}$1)`);
  const repository = new URL(address).pathname.slice(1);
  return `${changes}

## Install

\`\`\`sh
curl -fsSL ${address}/releases/download/v${version}/install.sh | sh -s -- --version ${version}
\`\`\`

The image is \`ghcr.io/${repository.toLowerCase()}:${version}\`. [Deployment](${chapters}deployment.md) has other ways.
Every file below was built by this repository's release workflow, which this command checks:

\`\`\`sh
gh attestation verify FILE --repo ${repository}
\`\`\`
`;
}

if (import.meta.main) {
  const tag = Bun.argv[2] ?? '';
  const version = tag.slice(1);
  const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY } = Bun.env;
  if (tag !== `v${formstead.version}`) {
    throw new Error(
      `The tag ${tag || '(none given)'} must be v${formstead.version}, the version in package.json. ` +
        'Set the version in package.json, commit, and tag that commit.',
    );
  }
  if (!GITHUB_REPOSITORY) throw new Error('GITHUB_REPOSITORY is not set. Set it to OWNER/REPOSITORY.');
  const changelog = await Bun.file(join(import.meta.dir, '..', CHANGELOG)).text();
  process.stdout.write(releaseNotes(changelog, version, `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`));
}
