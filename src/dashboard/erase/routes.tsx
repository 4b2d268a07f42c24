/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import { addressMatcher, parsePersonAddress } from '../../domain/person.ts';
import { attachment } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import { newId } from '../../lib/ids.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import {
  erasePerson,
  foundSubmissions,
  getReceipt,
  newCounts,
  newSearch,
  personLines,
  searchPerson,
} from '../../services/erasure.ts';
import type { Progress } from '../../services/export.ts';
import { archiveFiles } from '../../services/export-files.ts';
import { awaitPurge } from '../../services/purges.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { parseInput } from '../ui/parse-input.ts';
import type { Viewer } from '../viewer.ts';
import { ErasureView } from './erasure-view.tsx';
import { type Erasure, Erasures, hasResults } from './erasures.ts';
import { SearchView } from './search-view.tsx';

const PATH = '/dashboard/erase';
/** An action waits this long for its work before it shows the progress. */
const PATIENCE_MS = 500;
/** Matches listed on the page; each is read whole. The exports have all of them. */
const MAX_LISTED = 10;

type ManageContext = PageContext<'manage'>;

/** Finds all submissions of a person in a team's forms, exports them and deletes them. */
export function eraseRoutes(context: Context, downloads: Downloads): readonly DashboardRoute[] {
  const { store, clock, log } = context;
  const deps = { ...context, semaphore: new Semaphore(1) };
  const erasures = new Erasures(clock);

  /**
   * Returns a handler that finds the search in the path. Searches are in the memory of the process that ran them, so
   * another one asks to search again.
   */
  const withErasure =
    <Result,>(handle: (page: ManageContext, erasure: Erasure) => Result | Promise<Result>) =>
    async (page: ManageContext) => {
      const { param, user, team } = page;
      const erasure = erasures.find(param('erasureId'), { userId: user.id, teamId: team.id });
      if (erasure) return handle(page, erasure);
      if ((await store.instances.list()).length < 2) {
        throw new AppError('not_found', 'This search has expired. Search again.', { reason: ['search_expired'] });
      }
      page.note({}, { action: null });
      return redirectTo(`${PATH}?done=elsewhere`);
    };

  const requireResults = (erasure: Erasure): void => {
    if (hasResults(erasure)) return;
    throw new AppError('not_found', 'This search has no results left. Search again.', { reason: ['no_results_left'] });
  };

  /** Runs work in the background and redirects to its progress. */
  const run = async (erasure: Erasure, step: 'searching' | 'deleting', work: () => Promise<void>) => {
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
  };

  const search = async (page: ManageContext, form: URLSearchParams): Promise<Page | Response> => {
    const { viewer, user, team, note } = page;
    const input = form.get('address') ?? '';
    const address = parseInput(viewer.texts, () => parsePersonAddress(input));
    if ('error' in address) return searchPage(viewer, input, address.error);
    const erasure: Erasure = {
      id: newId('erase'),
      userId: user.id,
      teamId: team.id,
      address: address.value,
      search: newSearch(clock),
      counts: newCounts(),
      step: 'searching',
      erased: null,
    };
    erasures.add(erasure);
    note({ erasure_id: erasure.id });
    return run(erasure, 'searching', () => searchPerson(deps, erasure, erasure.search));
  };

  /** Returns the newest matches in these forms. */
  const newestMatches = async ({ search: { times } }: Erasure, forms: readonly Form[]) => {
    const newest = times.toSorted((a, b) => b - a).slice(0, MAX_LISTED);
    const matches = await store.inbox.findSubmissionsAt(newest);
    return matches
      .flatMap(({ id, formId, createdAt }) => {
        const form = forms.find((one) => one.id === formId);
        return form ? [{ id, createdAt, form: form.name }] : [];
      })
      .sort((a, b) => b.createdAt - a.createdAt);
  };

  const erasurePage = async ({ viewer }: ManageContext, erasure: Erasure): Promise<Page> => {
    const forms = await store.forms.list(erasure.teamId);
    const hasAddress = addressMatcher(erasure.address);
    const notified = forms.filter(({ notify }) => notify.some(hasAddress)).map(({ name }) => name);
    const receipt = erasure.erased && (await getReceipt(context, erasure.erased));
    const found = hasResults(erasure) ? await newestMatches(erasure, forms) : [];
    const body = <ErasureView viewer={viewer} erasure={erasure} found={found} notified={notified} receipt={receipt} />;
    return { title: viewer.texts.erase.title, section: 'team', body };
  };

  const exportAs = (format: 'jsonl' | 'zip') => (page: ManageContext, erasure: Erasure) => {
    requireResults(erasure);
    const { search } = erasure;
    const progress: Progress = { step: 'writing', submissions: 0, atMost: search.times.length };
    page.note({ found: search.times.length });
    const { archive } = page.viewer.texts.exportForm;
    const isLines = format === 'jsonl';
    const pieces = isLines
      ? personLines(deps, search, progress)
      : archiveFiles(deps, foundSubmissions(deps, search), progress, archive);
    const contentType = isLines ? 'application/jsonl; charset=utf-8' : 'application/zip';
    const bytes = downloads.stream(page.user.id, page.team.id, pieces, page.requireAccess);
    return attachment(bytes, `person.${format}`, contentType);
  };

  const askToDelete = ({ viewer }: ManageContext, erasure: Erasure): Page | Response => {
    if (!hasResults(erasure)) return redirectTo(`${PATH}/${erasure.id}`);
    const count = erasure.search.times.length;
    const { erase: t } = viewer.texts;
    return confirmPage(viewer, 'team', {
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
  };

  const erase = async (page: ManageContext, erasure: Erasure): Promise<Response> => {
    requireResults(erasure);
    page.note({ found: erasure.search.times.length });
    const response = await run(erasure, 'deleting', async () => {
      const erased = await erasePerson(deps, erasure, erasure.search, erasure.counts);
      const { submissions, files, mails } = erased.facts;
      log.info('a person was erased', { erasure: erasure.id, team: erasure.teamId, submissions, files, mails });
      erasure.erased = erased;
      await awaitPurge(context, erased.purge);
    });
    // A deletion that is still running is recorded with its counts until now; the log has the final ones.
    const { submissions, files, mails } = erasure.counts;
    page.note({ submissions, files, mails });
    return response;
  };

  const downloadReceipt = async (_page: ManageContext, { erased }: Erasure): Promise<Response> => {
    if (!erased) throw new AppError('not_found', 'There is no receipt yet.');
    return attachment(
      `${JSON.stringify(await getReceipt(context, erased), null, 2)}\n`,
      'receipt.json',
      'application/json',
    );
  };

  return [
    page(PATH, { access: 'manage' }, ({ viewer, query }) => ({
      ...searchPage(viewer),
      done: flash(viewer.texts.erase.done, query),
    })),
    action(PATH, { access: 'manage', audit: 'person.searched' }, search),
    page(`${PATH}/:erasureId`, { access: 'manage' }, withErasure(erasurePage)),
    page(
      `${PATH}/:erasureId/export.jsonl`,
      { access: 'manage', audit: 'person.exported' },
      withErasure(exportAs('jsonl')),
    ),
    page(`${PATH}/:erasureId/export.zip`, { access: 'manage', audit: 'person.exported' }, withErasure(exportAs('zip'))),
    page(`${PATH}/:erasureId/delete`, { access: 'manage' }, withErasure(askToDelete)),
    action(`${PATH}/:erasureId/delete`, { access: 'manage', audit: 'person.erased' }, withErasure(erase)),
    page(`${PATH}/:erasureId/receipt.json`, { access: 'manage' }, withErasure(downloadReceipt)),
  ];
}

function searchPage(viewer: Viewer, input = '', error?: string): Page {
  return {
    title: viewer.texts.erase.title,
    section: 'team',
    status: error === undefined ? 200 : 400,
    body: <SearchView viewer={viewer} input={input} error={error} />,
  };
}
