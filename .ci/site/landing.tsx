/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { codeMarkup } from '../../src/docs/markdown.ts';
import logo from '../../src/http/assets/logo.svg' with { type: 'text' };
import { renderDocument } from '../../src/lib/markup.ts';
import { REPOSITORY } from '../repository.ts';

const ADDRESS = `https://github.com/${REPOSITORY}`;

/** Address of a file of the repository. */
const source = (path: string) => `${ADDRESS}/blob/main/${path}`;

const START = `git clone ${ADDRESS} formstead
cd formstead
bun start        # your own instance
bun start demo   # or one filled with examples`;

const FORM = `<form method="post" data-formstead
  action="https://forms.example.com/v1/forms/abcd2345/submissions">
  <label>Email <input type="email" name="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <button>Send</button>
</form>
<script src="https://forms.example.com/formstead.js" defer></script>`;

/** Pictures of the dashboard, each in a light and a dark file. */
export const PICTURES = [
  ['inbox', 'The inbox: senders, excerpts and unread marks, with one message open beside the list'],
  ['overview', 'The overview of a form: submissions by day, and a summary of the answers'],
  ['connect', 'Connect: code for HTML, React, Vue, Svelte and others, with the address of the form'],
  ['table', 'Submissions as a table, one column for each field'],
] as const;

/** Properties with a link to what proves or explains them. */
const PROPERTIES = [
  [
    'Says yes after the disk has',
    'A visitor gets a success once the submission is encrypted, committed and synced.',
    '.ci/torture/RESULTS.md',
    'A thousand kills, two hundred power cuts',
  ],
  [
    'Encrypted on your machine',
    'Submissions and files are sealed with AES-256-GCM, in backups and in a bucket too.',
    'src/manual/design.md',
    'What is encrypted, and what is not',
  ],
  [
    'Spam stays outside',
    'A filter without a third party, published with its errors on texts it had never seen.',
    '.ci/spam/RESULTS.md',
    'About four in five on real sites; of our own texts 87 %',
  ],
  [
    'Works without script',
    'Your form, the hosted page and the whole dashboard, by keyboard and on a phone.',
    '.ci/lighthouse/RESULTS.md',
    'Lighthouse, page by page',
  ],
  [
    'Keeps the proof',
    'Confirmed addresses, the consent text as it was agreed to, and a receipt for every erasure.',
    'src/manual/data-protection.md',
    'Texts for data protection',
  ],
  [
    'One process, one file',
    'No database server, no queue, no cache to run. PostgreSQL and S3 if you want them.',
    'src/manual/deployment.md',
    'Ways to run it',
  ],
] as const;

/** Figures with the file that says how each was measured. */
const FIGURES = [
  ['19,494', 'posts a second at 64 connections, on two cores, each synced to disk', '.ci/bench/RESULTS.md'],
  ['0', 'of 100,000 acknowledged submissions lost in 1,000 kills', '.ci/torture/RESULTS.md'],
  ['0 of 700', 'genuine messages marked as spam in texts the filter had never seen', '.ci/spam/RESULTS.md'],
  ['1.13 times', 'the time of a post, with ten million submissions instead of a thousand', '.ci/bench/RESULTS.md'],
] as const;

/** Other programs and services, by facts that their own pages or packagers state. */
const COMPARISON = {
  names: ['Formstead', 'Formspree', 'Basin', 'HeyForm', 'Formbricks'],
  rows: [
    ['Kind', 'form backend', 'form backend', 'form backend', 'form builder', 'surveys and feedback'],
    [
      'Runs',
      'on your server',
      'as a service',
      'as a service',
      'as a service, or on your server',
      'as a service, or on your server',
    ],
    ['License', 'MIT', '–', '–', 'AGPL-3.0', 'AGPL-3.0'],
    ['Needs beside itself', 'nothing', '–', '–', 'MongoDB, Redis', 'PostgreSQL, Redis'],
    [
      'Without charge',
      'no limit',
      '50 submissions a month',
      'not stated here',
      '250 responses a month as a service',
      'not stated here',
    ],
    ['Keeps', 'until you delete', '30 days in the free plan', 'spam for 30 days', 'not stated here', 'not stated here'],
  ],
  sources: [
    [
      'Formspree: account limits',
      'https://help.formspree.io/hc/en-us/articles/47605896654227-Account-limits',
      'as of 8 May 2026',
    ],
    ['Basin: spam protection', 'https://docs.usebasin.com/guides/spam-protection', 'read on 28 November 2026'],
    [
      'HeyForm: plans and costs by API Evangelist',
      'https://github.com/api-evangelist/heyform',
      'read on 28 November 2026',
    ],
    [
      'Formbricks 5.1.2 as packaged for StartOS',
      'https://github.com/ok/formbricks-startos',
      'read on 28 November 2026',
    ],
  ],
} as const;

/** Returns the first page of the site. */
export function landingPage(version: string): string {
  return renderDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="description"
          content="A form backend you host yourself: stores each submission encrypted and synced to disk, emails you, and keeps spam out."
        />
        <title>Formstead: a form backend you host yourself</title>
        <link rel="stylesheet" href="assets/manual.css" />
        <link rel="stylesheet" href="assets/landing.css" />
        <link rel="icon" href="data:," />
        <script src="assets/landing.js" defer />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href="index.html" aria-current="page">
            {raw(logo)} Formstead
          </a>
          <nav class="links" aria-label="Main">
            <a href="manual.html">Manual</a>
            <a href="api.html">API</a>
            <a href="de.html" lang="de" hreflang="de">
              Deutsch
            </a>
            <a href={ADDRESS}>Source</a>
          </nav>
        </header>
        <main id="content" class="landing" tabindex={-1}>
          <Hero version={version} />
          <Properties />
          <Pictures />
          <TryIt />
          <Figures />
          <Comparison />
        </main>
      </body>
    </html>,
  );
}

function Hero({ version }: Readonly<{ version: string }>) {
  return (
    <section class="hero">
      <div>
        <h1>The form backend that never says yes to a submission it could lose</h1>
        <p class="lead">
          Point the forms of your static site at your own server. Formstead stores each submission encrypted, emails
          you, keeps spam out, and shows everything in a dashboard and a REST API.
        </p>
        <p class="actions">
          <a class="primary" href="quick-start.html">
            Quick start
          </a>{' '}
          <a href="recipes.html">Recipes for Hugo, Astro, WordPress and others</a>
        </p>
        <p class="soft">Version {version}, MIT license.</p>
      </div>
      <div>
        {raw(codeMarkup(START, 'sh'))}
        {raw(codeMarkup(FORM, 'html'))}
      </div>
    </section>
  );
}

function Properties() {
  return (
    <section aria-labelledby="properties">
      <h2 id="properties">What sets it apart</h2>
      <ul class="cards">
        {PROPERTIES.map(([title, text, path, link]) => (
          <li>
            <h3>{title}</h3>
            <p>{text}</p>
            <a href={chapterOrSource(path)}>{link}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the page of a chapter on this site, or the address of another file in the repository. */
function chapterOrSource(path: string): string {
  const [, slug] = /^src\/manual\/(.+)\.md$/.exec(path) ?? [];
  return slug === undefined ? source(path) : `${slug}.html`;
}

function Pictures() {
  return (
    <section aria-labelledby="pictures">
      <h2 id="pictures">The dashboard</h2>
      <div class="pictures">
        {PICTURES.map(([name, text]) => (
          <figure>
            <picture>
              <source srcset={`pictures/${name}-dark.png`} media="(prefers-color-scheme: dark)" />
              <img src={`pictures/${name}.png`} alt={text} width={1280} height={800} loading="lazy" decoding="async" />
            </picture>
            <figcaption>{text}.</figcaption>
          </figure>
        ))}
      </div>
      <p>
        Look around in one of your own, filled with examples: <code>bun start demo</code>.
      </p>
    </section>
  );
}

function TryIt() {
  return (
    <section aria-labelledby="try">
      <h2 id="try">Try it with your instance</h2>
      <p>
        Enter the address of a form of yours, as <em>Connect</em> or the first lines of the server show it. This page
        sends the message there and nowhere else.
      </p>
      <form class="try" method="post">
        <p>
          <label>
            Address of your form{' '}
            <input
              type="url"
              id="form-address"
              required
              placeholder="http://127.0.0.1:3000/v1/forms/abcd2345/submissions"
              pattern="https?://.+/v1/forms/\w+/submissions"
            />
          </label>
        </p>
        <p>
          <label>
            Email <input type="email" name="email" autocomplete="email" required />
          </label>
        </p>
        <p>
          <label>
            Message{' '}
            <textarea name="message" rows={3} required>
              Hello from the Formstead site
            </textarea>
          </label>
        </p>
        <button disabled>Send</button>
        <noscript>
          <p>Without script this page cannot know your address. Post to it with curl instead.</p>
        </noscript>
      </form>
    </section>
  );
}

function Figures() {
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      <dl class="figures">
        {FIGURES.map(([figure, text, path]) => (
          <div>
            <dt>{figure}</dt>
            <dd>
              {text} (<a href={source(path)}>how it was measured</a>)
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Comparison() {
  const { names, rows, sources } = COMPARISON;
  return (
    <section>
      <h2 id="comparison">Beside others</h2>
      <div class="scroll" tabindex={0} role="region" aria-labelledby="comparison">
        <table>
          <thead>
            <tr>
              <td />
              {names.map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, ...cells]) => (
              <tr>
                <th scope="row">{label}</th>
                {cells.map((text) => (
                  <td>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft">
        Sources:{' '}
        {sources.map(([name, address, date], index) => (
          <>
            {index > 0 && '; '}
            <a href={address}>{name}</a>, {date}
          </>
        ))}
        . The others do things that Formstead does not: Formspree and Basin need no server, HeyForm and Formbricks build
        forms by drag and drop, with branches.
      </p>
    </section>
  );
}
