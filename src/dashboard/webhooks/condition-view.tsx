/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { getTest, type When } from '../../domain/forms/condition.ts';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';

/** Conditions in words, such as “if topic is sales and country is one of SE, NO”. */
export function Conditions({ viewer, when }: Readonly<{ viewer: Viewer; when: When }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  if (when.length === 0) return <>{t.always}</>;
  return (
    <>
      {when.map((condition, index) => {
        const { test, values } = getTest(condition);
        return (
          <>
            {index === 0 ? `${t.if} ` : ` ${t.and} `}
            <strong>
              <bdi>{condition.field}</bdi>
            </strong>
            {` ${t.tests[test]} `}
            {values.map((value, at) => (
              <>
                {at > 0 && ', '}
                {value === '' ? t.empty : <bdi>{value}</bdi>}
              </>
            ))}
          </>
        );
      })}
    </>
  );
}
