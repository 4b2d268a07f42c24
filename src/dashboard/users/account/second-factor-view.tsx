/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { TotpOffer } from '../../../services/users/second-factor.ts';
import { Card, CopyButton, ErrorMessage, LinkButton, LinkLine, StateBadge } from '../../ui/elements.tsx';
import { CodeField, CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { ACCOUNT_TEXTS, SECOND_FACTOR_TEXTS } from './texts.ts';

const PATH = '/dashboard/account/second-factor';
/** Recovery codes left at which the page suggests new ones. */
const FEW_CODES = 3;

/** The error of a change, and the field it belongs to. */
export type InputError = Readonly<{ field: 'code' | 'password'; error: string }>;

/** The team that requires a second factor of the user, null for the instance; null if nothing does. */
type RequiredBy = Readonly<{ team: string | null }> | null;

type Props = Readonly<{
  viewer: Viewer;
  email: string;
  requiredBy: RequiredBy;
  codesLeft: number;
  failed: InputError | null;
}>;

/** Renews recovery codes, and turns the second factor off. */
export function ManageView({ viewer, email, requiredBy, codesLeft, failed }: Props) {
  const t = SECOND_FACTOR_TEXTS[viewer.language];
  const hasFew = codesLeft <= FEW_CODES;
  return (
    <>
      <h1>
        {t.title} <StateBadge isGood text={t.isOn} />
      </h1>
      <p class="soft">{t.about}</p>
      <p class={hasFew ? 'note' : undefined}>
        {t.left(codesLeft)} {hasFew && t.fewLeft}
      </p>
      <Card id="change" title={t.change}>
        <ErrorMessage error={failed?.error} />
        <p>{t.changeText}</p>
        {requiredBy && <p>{t.changeDemanded(requiredBy.team)}</p>}
        <form method="post" action={`${PATH}/codes`}>
          <UsernameHint email={email} />
          <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
          <CodeField viewer={viewer} isWrong={failed?.field === 'code'} takesRecovery />
          <p class="small soft">{t.ends}</p>
          <div class="row">
            <button>{t.newCodes}</button>
            <button class="danger" formaction={`${PATH}/off`}>
              {t.turnOff}
            </button>
          </div>
        </form>
      </Card>
    </>
  );
}

/** New recovery codes, which are shown once. */
export function recoveryCodesView(viewer: Viewer, email: string, codes: readonly string[]) {
  const t = SECOND_FACTOR_TEXTS[viewer.language];
  const file = [t.codesFile(email), '', ...codes, ''].join('\r\n');
  const href = `data:text/plain;charset=utf-8,${encodeURIComponent(file)}`;
  return (
    <>
      <h1>{t.codesTitle}</h1>
      <p>{t.codesText}</p>
      <div class="stack">
        <pre id="codes">{codes.join('\n')}</pre>
        <div class="row on-screen">
          <CopyButton viewer={viewer} source="codes" />
          <LinkButton href={href} text={t.download} download="formstead-recovery-codes.txt" />
          <button type="button" class="quiet" data-print="" hidden>
            {t.print}
          </button>
        </div>
        <p class="on-screen">
          <LinkButton href="/dashboard" text={t.kept} style="main" />
        </p>
      </div>
    </>
  );
}

type SetUpProps = Readonly<{
  viewer: Viewer;
  email: string;
  requiredBy: RequiredBy;
  offer: TotpOffer;
  /** The content of the QR code. */
  appUrl: string;
  /** Rows of the QR code; true is dark. */
  modules: readonly (readonly boolean[])[];
  failed: InputError | null;
}>;

/** Sets up a second factor: the secret for the app, and the form that confirms it with a code. */
export function SetUpView(props: SetUpProps) {
  const { viewer, email, requiredBy, offer, failed } = props;
  const t = SECOND_FACTOR_TEXTS[viewer.language];
  return (
    <>
      <LinkLine href="/dashboard/account" text={ACCOUNT_TEXTS[viewer.language].title} isSmall />
      <h1>{t.title}</h1>
      <p class="soft">{t.about}</p>
      {requiredBy && <p class="note">{t.demanded(requiredBy.team)}</p>}
      <ErrorMessage error={failed?.error} />
      <div class="pair">
        <section class="card stack" aria-labelledby="scan">
          <h2 id="scan">{t.scan}</h2>
          <Secret {...props} />
        </section>
        <Card id="confirm" title={t.confirm}>
          <form method="post" action="/dashboard/account/second-factor">
            <input type="hidden" name="offer" value={offer.sealed} />
            <UsernameHint email={email} />
            <CodeField viewer={viewer} isWrong={failed?.field === 'code'} />
            <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
            <p class="small soft">{t.ends}</p>
            <button>{t.enableSecondFactor}</button>
          </form>
        </Card>
      </div>
    </>
  );
}

function Secret({ viewer, offer, appUrl, modules }: SetUpProps) {
  const t = SECOND_FACTOR_TEXTS[viewer.language];
  const groups = offer.secret.match(/.{1,4}/g) ?? [];
  return (
    <>
      <p>{t.scanText}</p>
      <QrCode modules={modules} label={t.picture} />
      <p>{t.secret}</p>
      <div class="row">
        <code id="secret" class="groups">
          {groups.map((group) => (
            <>
              <span>{group}</span>
              <wbr />
            </>
          ))}
        </code>
        <CopyButton viewer={viewer} source="secret" />
      </div>
      <LinkLine href={appUrl} text={t.openApp} />
    </>
  );
}

/** A QR code, dark on light in every theme, with the margin that scanners need. */
function QrCode({ modules, label }: Pick<SetUpProps, 'modules'> & Readonly<{ label: string }>) {
  const side = modules.length + 8;
  const runs = modules.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? '#' : ' ')).join('');
    return Array.from(line.matchAll(/#+/g), ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`);
  });
  return (
    <svg class="qr" viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M-4-4h${side}v${side}h-${side}z`} />
      <path fill="#000" d={runs.join('')} />
    </svg>
  );
}
