/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { TotpOffer } from '../../../services/users/second-factor.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Card, CopyButton, ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { getTeam, type InputError, type RequiredBy } from './second-factor-view.tsx';

type Props = Readonly<{
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
export function SetUpView(props: Props) {
  const { viewer, email, requiredBy, offer, failed } = props;
  const { secondFactor: t } = viewer.texts;
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.about}</p>
      {requiredBy && <p class="note">{t.demanded(getTeam(requiredBy))}</p>}
      <ErrorMessage error={failed?.error} />
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
    </>
  );
}

function Secret({ viewer, offer, appUrl, modules }: Props) {
  const { secondFactor: t } = viewer.texts;
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
function QrCode({ modules, label }: Pick<Props, 'modules'> & Readonly<{ label: string }>) {
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
