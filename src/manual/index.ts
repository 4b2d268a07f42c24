import { readFileSync } from 'node:fs';
// Imported as files: a binary contains a text import twice, in the code and in its bytecode.
import agents from './agents.md' with { type: 'file' };
import backupsAndUpgrades from './backups-and-upgrades.md' with { type: 'file' };
import changelog from './changelog.md' with { type: 'file' };
import chatsAndSheets from './chats-and-sheets.md' with { type: 'file' };
import configuration from './configuration.md' with { type: 'file' };
import connectForms from './connect-forms.md' with { type: 'file' };
import dashboardAndTeams from './dashboard-and-teams.md' with { type: 'file' };
import dataProtection from './data-protection.md' with { type: 'file' };
import eMail from './de/e-mail.md' with { type: 'file' };
import einsendungen from './de/einsendungen.md' with { type: 'file' };
import ersteSchritte from './de/erste-schritte.md' with { type: 'file' };
import exportUndLoeschen from './de/export-und-loeschen.md' with { type: 'file' };
import formulare from './de/formulare.md' with { type: 'file' };
import spamDe from './de/spam.md' with { type: 'file' };
import startDe from './de/start.md' with { type: 'file' };
import deliverability from './deliverability.md' with { type: 'file' };
import deployment from './deployment.md' with { type: 'file' };
import design from './design.md' with { type: 'file' };
import exportsAndErasure from './exports-and-erasure.md' with { type: 'file' };
import forClients from './for-clients.md' with { type: 'file' };
import howDoI from './how-do-i.md' with { type: 'file' };
import mail from './mail.md' with { type: 'file' };
import managementApi from './management-api.md' with { type: 'file' };
import monitoring from './monitoring.md' with { type: 'file' };
import moveFromAnotherService from './move-from-another-service.md' with { type: 'file' };
import platforms from './platforms.md' with { type: 'file' };
import postgresqlAndS3 from './postgresql-and-s3.md' with { type: 'file' };
import quickStart from './quick-start.md' with { type: 'file' };
import recipes from './recipes.md' with { type: 'file' };
import setUpFromAFile from './set-up-from-a-file.md' with { type: 'file' };
import spam from './spam.md' with { type: 'file' };
import start from './start.md' with { type: 'file' };
import submissions from './submissions.md' with { type: 'file' };
import testForms from './test-forms.md' with { type: 'file' };
import troubleshooting from './troubleshooting.md' with { type: 'file' };
import webhooks from './webhooks.md' with { type: 'file' };

/** A chapter of the manual: the last part of its address, and its Markdown. */
export type ChapterSource = Readonly<{ slug: string; text: string }>;

/** The files by the last part of their address, in reading order. */
const FILES = {
  ...{ 'quick-start': quickStart, 'how-do-i': howDoI, 'connect-forms': connectForms, recipes, 'test-forms': testForms },
  ...{ submissions, spam, mail, deliverability, webhooks, 'chats-and-sheets': chatsAndSheets },
  ...{ 'dashboard-and-teams': dashboardAndTeams, 'for-clients': forClients },
  ...{ 'management-api': managementApi, 'set-up-from-a-file': setUpFromAFile, agents },
  ...{ 'move-from-another-service': moveFromAnotherService, 'exports-and-erasure': exportsAndErasure },
  ...{ 'data-protection': dataProtection },
  ...{ configuration, deployment, platforms, 'postgresql-and-s3': postgresqlAndS3 },
  ...{ 'backups-and-upgrades': backupsAndUpgrades, monitoring, troubleshooting },
  ...{ design, changelog },
};
const GERMAN_FILES = {
  ...{ 'erste-schritte': ersteSchritte, einsendungen, formulare, 'e-mail': eMail },
  ...{ 'export-und-loeschen': exportUndLoeschen, spam: spamDe },
};

const read = (files: Readonly<Record<string, string>>): readonly ChapterSource[] =>
  Object.entries(files).map(([slug, path]) => ({ slug, text: readFileSync(path, 'utf8') }));

/** The chapters to start with, in each language. */
export const START = readFileSync(start, 'utf8');
export const GERMAN_START = readFileSync(startDe, 'utf8');

/** Every chapter, in reading order. Importing this module reads them, so routes import it on the first request. */
export const CHAPTERS = read(FILES);

/** The chapters that people need who work with submissions, in German. */
export const GERMAN_CHAPTERS = read(GERMAN_FILES);
