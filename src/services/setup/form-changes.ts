import { parseFields } from '../../domain/fields/parse-fields.ts';
import { type ChallengeInput, type ChallengeKind, validateChallenge } from '../../domain/forms/challenge.ts';
import { keptConditions, recipientConditions } from '../../domain/forms/condition.ts';
import type { Form, FormChanges, FormLogo } from '../../domain/forms/form.ts';
import { parseLogo } from '../../domain/forms/form-logo.ts';
import { readSetting, SETTING_NAMES, type SettingName } from '../../domain/forms/form-settings.ts';
import { requireOpeningOrder } from '../../domain/forms/opening.ts';
import type { Workspace } from '../../domain/teams/team.ts';
import { snakeCase } from '../../lib/snake-case.ts';
import { openOr } from '../../vault/open-submission.ts';
import { challengeSecretAad, type Vault } from '../../vault/vault.ts';
import { challengeSettings } from '../forms/challenge.ts';
import type { PlanBuilder, SettingChange } from './changes.ts';
import type { Located, Path } from './document.ts';
import { isKept, referencesAmong, resolveFile, resolveText } from './references.ts';
import { type FormEntry, KEEP } from './setup-file.ts';

type Part = Readonly<{ set: FormChanges; settings: readonly SettingChange[] }>;

/** The changes of a form to store and to show. `logo` is undefined if it stays. */
export type FormPlan = Part & Readonly<{ logo: FormLogo | null | undefined }>;

const SAME: Part = { set: {}, settings: [] };

/** Compares an entry of the file with a form. Properties that the entry leaves out keep their value. */
export async function formChanges(
  plan: PlanBuilder,
  place: Located<FormEntry>,
  form: Form,
  workspace: Workspace,
  name: string,
): Promise<FormPlan> {
  const title = `${workspace.name} / ${name}`;
  const before = plan.before.workspaces.find(({ id }) => id === form.workspaceId)?.name;
  const parts: Part[] = [
    change(form, 'name', name),
    form.workspaceId === workspace.id
      ? SAME
      : { set: { workspaceId: workspace.id }, settings: [{ name: 'workspace', before, after: workspace.name }] },
    stateChange(plan, place, form),
  ];
  for (const setting of SETTING_NAMES) parts.push(await plainChange(plan, place, form, setting));
  const recipients = parts.find(({ set }) => set.notify)?.set.notify ?? form.notify;
  parts.push(await conditionChange(plan, place, form, recipients));
  parts.push(await fieldChange(plan, place, form));
  parts.push(await challengeChange(plan, place, form, title));
  const logo = await logoChange(plan, place, form, title);
  const set: FormChanges = Object.assign({}, ...parts.map(({ set }) => set));
  const bound = set.closesAt === undefined ? 'opens_at' : 'closes_at';
  await plan.document.at([...place.path, bound], () => requireOpeningOrder({ ...form, ...set }));
  return {
    set,
    settings: [...parts.flatMap(({ settings }) => settings), ...(logo === undefined ? [] : [{ name: 'logo' }])],
    logo,
  };
}

function change<Name extends keyof FormChanges>(form: Form, name: Name, value: FormChanges[Name]): Part {
  if (Bun.deepEquals(form[name], value)) return SAME;
  return { set: { [name]: value }, settings: [{ name: snakeCase(name), before: form[name], after: value }] };
}

export function getState({ isActive, archivedAt }: Pick<Form, 'isActive' | 'archivedAt'>): string {
  if (archivedAt !== null) return 'archived';
  return isActive ? 'active' : 'paused';
}

function stateChange({ deps }: PlanBuilder, { entry: { state } }: Located<FormEntry>, form: Form): Part {
  const before = getState(form);
  if (state === undefined || state === before) return SAME;
  const set = { isActive: state === 'active', archivedAt: state === 'archived' ? deps.clock() : null };
  return { set, settings: [{ name: 'state', before, after: state }] };
}

async function plainChange(
  { document }: PlanBuilder,
  { entry, path }: Located<FormEntry>,
  form: Form,
  name: SettingName,
): Promise<Part> {
  const property = snakeCase(name);
  const value = (entry as Readonly<Record<string, unknown>>)[property];
  // A stored value may be older than the rules of today, and stays valid.
  if (value === undefined || Bun.deepEquals(value, form[name])) return SAME;
  const parsed = await document.at([...path, property], () => readSetting(name, value));
  return change(form, name, parsed[name]);
}

async function conditionChange(
  { document }: PlanBuilder,
  { entry: { notify_when: conditions }, path }: Located<FormEntry>,
  form: Form,
  recipients: readonly string[],
): Promise<Part> {
  if (conditions === undefined) return change(form, 'notifyWhen', keptConditions(form.notifyWhen, recipients));
  const at = [...path, 'notify_when'];
  const parsed = await document.at(at, () => recipientConditions(Object.entries(conditions), recipients));
  return change(form, 'notifyWhen', parsed);
}

async function fieldChange({ document, prune, kept }: PlanBuilder, { entry, path }: Located<FormEntry>, form: Form) {
  if (entry.fields === undefined || Bun.deepEquals(entry.fields, form.fields)) return SAME;
  const definitions = entry.fields;
  const names = new Set(definitions.map(({ name }) => name));
  const missing = form.fields.filter(({ name }) => !names.has(name));
  const fields = await document.at([...path, 'fields'], () => parseFields(JSON.stringify(definitions)));
  if (!prune) kept.push(...missing.map(({ name }) => ({ type: 'field' as const, name: `${form.name} / ${name}` })));
  return change(form, 'fields', [...fields, ...(prune ? [] : missing)]);
}

async function challengeChange(plan: PlanBuilder, place: Located<FormEntry>, form: Form, title: string): Promise<Part> {
  const { vault } = plan.deps;
  const { challenge } = place.entry;
  const before = form.challenge && { kind: form.challenge, verify_url: form.challengeVerifyUrl };
  if (challenge === undefined || (challenge === null && before === null)) return SAME;
  if (challenge === null) {
    return { set: challengeSettings(vault, form.id, null), settings: [{ name: 'challenge', before, after: null }] };
  }
  const { valid, isStored } = await readChallenge(plan, [...place.path, 'challenge'], challenge, form);
  const host = valid.verifyUrl && new URL(valid.verifyUrl).host;
  plan.references.push(...referencesAmong(title, host, [['challenge.secret', challenge.secret]]));
  const isSameSecret = isStored || valid.secret === storedSecret(vault, form);
  const after = { kind: valid.kind, verify_url: valid.verifyUrl };
  const isSame = Bun.deepEquals(before, after);
  if (isSame && isSameSecret) return SAME;
  return {
    set: isSameSecret
      ? { challenge: valid.kind, challengeVerifyUrl: valid.verifyUrl }
      : challengeSettings(vault, form.id, valid),
    settings: [
      ...(isSame ? [] : [{ name: 'challenge', before, after }]),
      ...(isSameSecret ? [] : [{ name: 'challenge.secret' }]),
    ],
  };
}

/** Reads a challenge with its secret. `isStored` means that the stored secret stays; the one returned is then a placeholder. */
async function readChallenge(
  { deps, document }: PlanBuilder,
  path: Path,
  { kind, secret, verify_url: url }: NonNullable<FormEntry['challenge']>,
  form: Form,
): Promise<Readonly<{ valid: ChallengeInput; isStored: boolean }>> {
  const isSameKind = form.challenge === kind;
  const isStored = isKept(secret) && isSameKind && form.challengeSecret !== null;
  if (secret === KEEP && !isStored) {
    throw document.error([...path, 'secret'], 'There is no stored secret to keep. Use env:NAME or file:PATH.');
  }
  const text = isStored ? KEEP : secret && (await resolveText(document, deps.references, [...path, 'secret'], secret));
  const input: ChallengeInput = {
    kind: kind as ChallengeKind,
    secret: text ?? null,
    verifyUrl: url === undefined && isSameKind ? form.challengeVerifyUrl : (url ?? null),
  };
  const valid = await document.at(path, () => validateChallenge(input));
  if (isStored && getOrigin(valid.verifyUrl) !== getOrigin(form.challengeVerifyUrl)) {
    throw document.error(path, 'The verify URL leads to another host. Pass the secret again by env:NAME or file:PATH.');
  }
  return { valid, isStored };
}

const getOrigin = (url: string | null): string | null => (url === null ? null : new URL(url).origin);

/** Returns the stored secret; null without one, or if its record is damaged. */
function storedSecret(vault: Vault, { id, challengeSecret }: Form): string | null {
  return challengeSecret && openOr(() => vault.open(challengeSecret, challengeSecretAad(id)).toString(), null);
}

/** Returns the new logo, null to remove it, or undefined if it stays. */
async function logoChange(
  { deps, document, before, references }: PlanBuilder,
  { entry: { logo }, path: parent }: Located<FormEntry>,
  { id }: Form,
  title: string,
): Promise<FormLogo | null | undefined> {
  const stored = before.logos.get(id) ?? null;
  const path = [...parent, 'logo'];
  references.push(...referencesAmong(title, null, [['logo', logo]]));
  if (logo === undefined || (logo === null && stored === null) || (logo === KEEP && stored !== null)) return undefined;
  if (logo === KEEP) throw document.error(path, 'There is no stored logo to keep. Use file:PATH.');
  if (logo === null) return null;
  const image = await resolveFile(document, deps.references, path, logo);
  if (stored && Buffer.compare(image, stored.image) === 0) return undefined;
  return document.at(path, () => parseLogo(image));
}
