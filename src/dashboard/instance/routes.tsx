/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { getKind } from '../../delivery/targets/index.ts';
import { type Finding, instanceChecks, teamChecks } from '../../services/instance/checks/checks.ts';
import { finishedSteps, SETUP_STEPS, type SetupStep } from '../../services/instance/first-steps.ts';
import { action, flash, type Page, type PageContext, page, redirectTo, withAssets } from '../page.ts';
import { featureAssets } from '../ui/assets.ts';
import { countUpTo99 } from '../ui/count.ts';
import { LinkButton, PostButton } from '../ui/elements.tsx';
import { PATHS, Tile } from '../ui/icon.tsx';
import type { Viewer } from '../viewer.ts';
import style from './style.css' with { type: 'text' };
import { STATUS_TEXTS } from './texts.ts';

const ASSETS = featureAssets('status', style);

const PATH = '/dashboard/status';
const MAIL_DOCS = '/docs/mail#set-up-a-mail-server';

/** The state of the instance for owners, and the steps of setting up. */
export function statusRoutes(context: Context) {
  const { store, clock } = context;

  const show = async (page: PageContext<'manage'>): Promise<Page> => {
    const { viewer, query } = page;
    return {
      title: viewer.texts.sections.status,
      section: 'status',
      done: flash(STATUS_TEXTS[viewer.language].done, query),
      body: <StatusView {...(await readStatus(context, page))} />,
    };
  };

  const confirmKey = async (): Promise<Response> => {
    await store.milestones.reach('key_copied', clock());
    return redirectTo(`${PATH}?done=key`);
  };

  const switchSetUp = async ({ team }: PageContext<'manage'>, form: URLSearchParams): Promise<Response> => {
    const isHidden = form.get('list') === 'hide';
    await store.teams.update(team.id, { setUpAt: isHidden ? clock() : null });
    return redirectTo(`${PATH}?done=${isHidden ? 'hidden' : 'shown'}`);
  };

  return withAssets(ASSETS, [
    page(PATH, { access: 'manage' }, show),
    action(`${PATH}/key-copied`, { access: 'manage', audit: 'vault.copied' }, confirmKey),
    action(`${PATH}/set-up`, { access: 'manage', audit: null }, switchSetUp),
  ]);
}

type Props = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(context: Context, { viewer, team, user }: PageContext<'manage'>) {
  const { store, mail, instanceName } = context;
  const findings = [...(await teamChecks(context, team)), ...(await instanceChecks(context, team.id, true))];
  const [form] = await store.forms.list(team.id);
  return {
    viewer,
    findings: findings.filter(({ check }) => check !== 'database' || instanceName !== null),
    finished: await finishedSteps(context, team),
    isSetUpShown: team.setUpAt === null,
    hasMailServer: mail.sender !== null,
    /** The page where mail is set up. */
    mailSetUp: (await store.users.isOperator(user.id)) ? '/dashboard/mail/server' : MAIL_DOCS,
    /** The form to connect; null if the team has none. */
    formId: form?.id ?? null,
  };
}

/** The state of the team and the instance, and the steps of setting up. */
function StatusView(props: Props) {
  const { viewer, findings, finished, isSetUpShown } = props;
  const t = STATUS_TEXTS[viewer.language];
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const worst = URGENT.findLast((state) => count(state) > 0) ?? 'ok';
  const isFinished = finished.size >= SETUP_STEPS.length;
  return (
    <>
      <div class="row summary">
        <Tile {...TILES[worst]} />
        <div class="grow">
          <h1 class="flush">{viewer.texts.sections.status}</h1>
          <p class="soft flush">{t.summary(count('bad'), count('warning'))}</p>
        </div>
        {!isSetUpShown && !isFinished && <SetUpSwitch viewer={viewer} value="show" />}
      </div>
      <ul class="list checks" aria-label={t.checks}>
        {findings
          .toSorted((a, b) => URGENT.indexOf(b.state) - URGENT.indexOf(a.state))
          .map((finding) => (
            <CheckRow viewer={viewer} finding={finding} mailSetUp={props.mailSetUp} />
          ))}
      </ul>
      {isSetUpShown && !isFinished && (
        <section class="card" id="set-up" aria-labelledby="set-up-title">
          <div class="head">
            <h2 id="set-up-title">{t.setUp}</h2>
            <SetUpSwitch viewer={viewer} value="hide" />
          </div>
          <ol class="steps">
            {SETUP_STEPS.map((step) => (
              <li id={`step-${step}`} class={finished.has(step) ? 'finished' : undefined}>
                <h3>
                  {t.steps[step].title} {finished.has(step) && <span class="badge ok">{t.stepDone}</span>}
                </h3>
                {!finished.has(step) && <Step {...props} step={step} />}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

/** Icon and hue of each state. */
const TILES = {
  ok: { path: PATHS.check, hue: 'green' },
  off: { path: PATHS.minus, hue: 'none' },
  unknown: { path: PATHS.help, hue: 'none' },
  warning: { path: PATHS.warning, hue: 'yellow' },
  bad: { path: PATHS.cross, hue: 'red' },
} as const satisfies Record<Finding['state'], Parameters<typeof Tile>[0]>;

/** States that need attention, the worst last. */
const URGENT: readonly Finding['state'][] = ['warning', 'bad'];

type RowProps = Pick<Props, 'viewer' | 'mailSetUp'> & Readonly<{ finding: Finding }>;

function CheckRow({ viewer, finding, mailSetUp }: RowProps) {
  const t = STATUS_TEXTS[viewer.language];
  const { check, state, text, fix, webhooks = [] } = finding;
  return (
    <li class={`check ${state}`}>
      <Tile {...TILES[state]} />
      <strong>{t[check].title}</strong>
      <span class="visually-hidden">{t.state[state]}</span>
      <span class="says">
        {text(t, { ...viewer, count: (value) => countUpTo99(viewer, value) })}
        {webhooks.map(({ id, formId, kind, formName, label }, index) => (
          <>
            {index > 0 ? ', ' : ' '}
            <a href={`/dashboard/forms/${formId}/webhooks/${id}`}>
              {label || getKind(kind).name[viewer.language]} (<bdi>{formName}</bdi>)
            </a>
          </>
        ))}
        {check === 'database' && state === 'bad' && ` ${t.database.toDoctor}`}
      </span>
      {fix && <a href={fix.label === 'setUpMail' ? mailSetUp : fix.href}>{t.fixes[fix.label]}</a>}
    </li>
  );
}

function SetUpSwitch({ viewer, value }: Readonly<{ viewer: Viewer; value: 'hide' | 'show' }>) {
  const t = STATUS_TEXTS[viewer.language];
  const text = value === 'hide' ? t.hide : t.showAgain;
  return <PostButton action="/dashboard/status/set-up" text={text} style="small" fields={{ list: value }} />;
}

function Step({ viewer, step, hasMailServer, mailSetUp, formId }: Props & Readonly<{ step: SetupStep }>) {
  const { steps, fixes } = STATUS_TEXTS[viewer.language];
  const connect = formId === null ? '/dashboard/forms/new' : `/dashboard/forms/${formId}/connect`;
  return (
    <>
      <p class="soft">{step === 'mail' && !hasMailServer ? steps.mail.noServer : steps[step].text}</p>
      {step === 'form' && <LinkButton href={connect} text={steps.form.action} style="main" />}
      {step === 'mail' && hasMailServer && (
        <LinkButton href="/dashboard/mail#test" text={fixes.testMail} style="main" />
      )}
      {step === 'mail' && !hasMailServer && <a href={mailSetUp}>{fixes.setUpMail}</a>}
      {step === 'key' && (
        <form method="post" action="/dashboard/status/key-copied" class="row">
          <button>{steps.key.action}</button> <a href="/docs/quick-start#keep-a-copy-of-the-key">{fixes.aboutKey}</a>
        </form>
      )}
      {step === 'backup' && <a href="/docs/backups-and-upgrades#scheduled-backups">{fixes.setUpBackups}</a>}
    </>
  );
}
