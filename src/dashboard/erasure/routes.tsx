/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import { addressMatcher, parsePersonAddress } from '../../domain/submissions/person.ts';
import { attachment } from '../../http/attachment.ts';
import { newId } from '../../lib/ids.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import * as erasing from '../../services/erasure/erasure.ts';
import type { Chunks, Progress } from '../../services/exports/export.ts';
import { archiveFiles } from '../../services/exports/export-files.ts';
import { awaitPurge } from '../../services/instance/purges.ts';
import { readExcerpt } from '../../services/submissions/read-submission.ts';
import { EXPORT_FORM_TEXTS } from '../exports/texts.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { ErrorMessage } from '../ui/elements.tsx';
import { LineInput } from '../ui/form-inputs.tsx';
import { parseInput } from '../ui/parse-input.ts';
import { getBrief } from '../ui/payload-text.ts';
import type { Viewer } from '../viewer.ts';
import { ErasureView } from './erasure-view.tsx';
import { type Erasure, Erasures, hasResults } from './erasures.ts';
import { ERASE_TEXTS } from './texts.ts';

const PATH = '/dashboard/erase';
/** An action waits this long for its work before it shows the progress. */
const PATIENCE_MS = 500;
/** Matches listed on the page; each is read whole. The exports have all of them. */
const MAX_LISTED = 10;

type ManagePage = PageContext<'manage'>;

/** A page or an action about a search. All searches of the process share the semaphore in `deps`. */
type Handler = (
  page: ManagePage,
  erasure: Erasure,
  deps: erasing.ErasureDeps,
) => Promise<Page | Response> | Page | Response;

/** Finds all submissions of a person in a team's forms, exports them and deletes them. */
export function eraseRoutes(context: Context): readonly DashboardRoute[] {
  const erasures = new Erasures(context.clock);
  const deps = { ...context, semaphore: new Semaphore(1) };
  const withErasure = (handle: Handler) => (page: ManagePage) => {
    const erasure = erasures.find(page.param('erasureId'), { userId: page.user.id, teamId: page.team.id });
    return erasure ? handle(page, erasure, deps) : searchAgain(page);
  };
  const exported = { access: 'manage', audit: 'person.exported' } as const;
  return [
    page(PATH, { access: 'manage' }, ({ viewer, query }) => ({
      ...searchPage(viewer),
      done: flash(ERASE_TEXTS[viewer.language].done, query),
    })),
    action(PATH, { access: 'manage', audit: 'person.searched' }, (page, form) => search(page, form, erasures, deps)),
    page(`${PATH}/:erasureId`, { access: 'manage' }, withErasure(show)),
    page(`${PATH}/:erasureId/export.jsonl`, exported, withErasure(exportLines)),
    page(`${PATH}/:erasureId/export.zip`, exported, withErasure(exportArchive)),
    page(`${PATH}/:erasureId/delete`, { access: 'manage' }, withErasure(askToDelete)),
    action(`${PATH}/:erasureId/delete`, { access: 'manage', audit: 'person.erased' }, withErasure(erase)),
    page(`${PATH}/:erasureId/receipt.json`, { access: 'manage' }, withErasure(downloadReceipt)),
  ];
}

/** Throws `not_found`, or redirects if the search may be in the memory of another process. */
async function searchAgain({ context, note }: ManagePage): Promise<Response> {
  if ((await context.store.instances.list()).length < 2) {
    throw new AppError('not_found', 'This search has expired. Search again.', { reason: ['search_expired'] });
  }
  note({}, { action: null });
  return redirectTo(`${PATH}?done=elsewhere`);
}

function requireResults(erasure: Erasure): void {
  if (hasResults(erasure)) return;
  throw new AppError('not_found', 'This search has no results left. Search again.', { reason: ['no_results_left'] });
}

/** Runs work in the background and redirects to its progress. */
async function run({ log }: erasing.ErasureDeps, erasure: Erasure, step: Erasure['step'], work: () => Promise<void>) {
  erasure.step = step;
  const running = work().then(
    () => {
      erasure.step = 'found';
    },
    (error: unknown) => {
      erasure.step = 'failed';
      log.error('erasing a person failed', { team: erasure.teamId, step, error: String(error) });
    },
  );
  await Promise.race([running, Bun.sleep(PATIENCE_MS)]);
  return redirectTo(`${PATH}/${erasure.id}`);
}

async function search(page: ManagePage, form: URLSearchParams, erasures: Erasures, deps: erasing.ErasureDeps) {
  const { viewer, user, team, note } = page;
  const input = form.get('address') ?? '';
  const address = parseInput(viewer.texts, () => parsePersonAddress(input));
  if ('error' in address) return searchPage(viewer, input, address.error);
  const erasure: Erasure = {
    id: newId('erase'),
    userId: user.id,
    teamId: team.id,
    address: address.value,
    search: erasing.newSearch(deps.clock),
    counts: erasing.newCounts(),
    step: 'searching',
    erased: null,
  };
  erasures.add(erasure);
  note({ erasure_id: erasure.id });
  return run(deps, erasure, 'searching', () => erasing.searchPerson(deps, erasure, erasure.search));
}

/** Returns the newest matches in these forms, with what names their senders. */
async function newestMatches({ context, viewer }: ManagePage, { search: { times } }: Erasure, forms: readonly Form[]) {
  const newest = times.toSorted((a, b) => b - a).slice(0, MAX_LISTED);
  const matches = await context.store.inbox.findSubmissionsAt(newest);
  return matches
    .flatMap((submission) => {
      const { id, formId, createdAt } = submission;
      const form = forms.find((form) => form.id === formId);
      const payload = readExcerpt(context.vault, context.log, submission);
      const brief = form && payload && getBrief(form, payload, viewer.values);
      return form ? [{ id, createdAt, form: form.name, who: brief?.isNamed ? brief.who : null }] : [];
    })
    .sort((a, b) => b.createdAt - a.createdAt);
}

async function show(page: ManagePage, erasure: Erasure): Promise<Page> {
  const { context, viewer } = page;
  const forms = await context.store.forms.list(erasure.teamId);
  const hasAddress = addressMatcher(erasure.address);
  const notified = forms.filter(({ notify }) => notify.some(hasAddress)).map(({ name }) => name);
  const receipt = erasure.erased && (await erasing.getReceipt(context, erasure.erased));
  const found = hasResults(erasure) ? await newestMatches(page, erasure, forms) : [];
  const body = <ErasureView {...{ viewer, erasure, found, notified, receipt }} />;
  return { title: viewer.texts.sections.erase, section: 'erase', body };
}

function exportLines(page: ManagePage, erasure: Erasure, deps: erasing.ErasureDeps): Response {
  const lines = erasing.personLines(deps, erasure.search, startExport(page, erasure));
  return sendExport(page, lines, 'person.jsonl', 'application/jsonl; charset=utf-8');
}

function exportArchive(page: ManagePage, erasure: Erasure, deps: erasing.ErasureDeps): Response {
  const progress = startExport(page, erasure);
  const submissions = erasing.foundSubmissions(deps, erasure.search);
  const files = archiveFiles(deps, submissions, progress, EXPORT_FORM_TEXTS[page.viewer.language].archive);
  return sendExport(page, files, 'person.zip', 'application/zip');
}

function startExport({ note }: ManagePage, erasure: Erasure): Progress {
  requireResults(erasure);
  const count = erasure.search.times.length;
  note({ found: count });
  return { step: 'writing', submissions: 0, atMost: count };
}

function sendExport({ context, user, team, requireAccess }: ManagePage, chunks: Chunks, name: string, type: string) {
  return attachment(context.downloads.stream(user.id, team.id, chunks, requireAccess), name, type);
}

function askToDelete({ viewer }: ManagePage, erasure: Erasure): Page | Response {
  if (!hasResults(erasure)) return redirectTo(`${PATH}/${erasure.id}`);
  const count = erasure.search.times.length;
  const t = ERASE_TEXTS[viewer.language];
  return confirmPage(viewer, 'erase', {
    title: t.deleteTitle(count, viewer.number(count)),
    about: (
      <p>
        {t.lookedFor}: <strong>{erasure.address}</strong>
      </p>
    ),
    text: t.finalText,
    action: `${PATH}/${erasure.id}/delete`,
    button: t.confirm,
    cancel: `${PATH}/${erasure.id}`,
  });
}

async function erase(page: ManagePage, erasure: Erasure, deps: erasing.ErasureDeps): Promise<Response> {
  const { context, note } = page;
  requireResults(erasure);
  note({ found: erasure.search.times.length });
  const response = await run(deps, erasure, 'deleting', async () => {
    const erased = await erasing.erasePerson(deps, erasure, erasure.search, erasure.counts);
    const { submissions, files, mails } = erased.facts;
    context.log.info('a person was erased', { erasure: erasure.id, team: erasure.teamId, submissions, files, mails });
    erasure.erased = erased;
    await awaitPurge(context, erased.purge);
  });
  // A deletion that is still running is recorded with its counts until now; the log has the final ones.
  const { submissions, files, mails } = erasure.counts;
  note({ submissions, files, mails });
  return response;
}

async function downloadReceipt({ context }: ManagePage, { erased }: Erasure): Promise<Response> {
  if (!erased) throw new AppError('not_found', 'There is no receipt yet.');
  const receipt = JSON.stringify(await erasing.getReceipt(context, erased), null, 2);
  return attachment(`${receipt}\n`, 'receipt.json', 'application/json');
}

/** The form that searches for a person by email address. */
function searchPage(viewer: Viewer, input = '', error?: string): Page {
  const t = ERASE_TEXTS[viewer.language];
  const title = viewer.texts.sections.erase;
  const body = (
    <>
      <h1>{title}</h1>
      <p class="soft">{t.intro}</p>
      <ErrorMessage error={error} />
      <form class="card narrow" method="post" action="/dashboard/erase">
        <LineInput
          name="address"
          label={t.address}
          value={input}
          hint={t.addressHint}
          error={error}
          inputmode="email"
          spellcheck={false}
          autocapitalize="none"
          required
          maxlength={254}
        />
        <div class="row">
          <button>{t.search}</button>
        </div>
      </form>
    </>
  );
  return { title, section: 'erase', status: error === undefined ? 200 : 400, body };
}
