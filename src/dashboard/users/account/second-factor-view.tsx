/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CodeField } from '../../ui/code-field.tsx';
import { Card, CopyButton, ErrorMessage, LinkButton, StateBadge } from '../../ui/elements.tsx';
import { CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';

const PATH = '/dashboard/account/second-factor';
/** Recovery codes left at which the page suggests new ones. */
const FEW_CODES = 3;

/** The error of a change, and the field it belongs to. */
export type InputError = Readonly<{ field: 'code' | 'password'; error: string }>;

/** Requires a second factor of the user: the instance or a team; null if nothing does. */
export type RequiredBy = 'instance' | Readonly<{ team: string }> | null;

/** Returns the name of the requiring team; null for the instance. */
export function getTeam(requiredBy: Exclude<RequiredBy, null>): string | null {
  return requiredBy === 'instance' ? null : requiredBy.team;
}

type Props = Readonly<{
  viewer: Viewer;
  email: string;
  requiredBy: RequiredBy;
  codesLeft: number;
  failed: InputError | null;
}>;

/** Renews recovery codes, and turns the second factor off. */
export function ManageView({ viewer, email, requiredBy, codesLeft, failed }: Props) {
  const { secondFactor: t } = viewer.texts;
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
        {requiredBy && <p>{t.changeDemanded(getTeam(requiredBy))}</p>}
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

type CodesProps = Readonly<{ viewer: Viewer; email: string; codes: readonly string[] }>;

/** New recovery codes, which are shown once. */
export function RecoveryCodesView({ viewer, email, codes }: CodesProps) {
  const { secondFactor: t } = viewer.texts;
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
