/**
 * Implements `secrets`. Values are never shown.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { secretFile } from '../../host/governance/secret-service.ts';
import type { Engine } from '../../index.ts';
import { EngineError, packDefinition, secretNamesOf } from '../../isomorphic.ts';
import { webhookSecrets } from '../../language/triggers/trigger-findings.ts';
import { isGitTracked } from '../../world/files/git-changes.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { readFlowSource } from '../flow-source.ts';
import { checkFlowSource } from './file-problems.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

/** Lists the names of secrets, their sources, and their allowed hosts. */
export async function listSecrets(context: CliContext, options: GlobalOptions): Promise<void> {
  await withWorkspace(context, options, async (engine) => {
    const values = await engine.listSecrets();
    const width = Math.max(0, ...values.map(({ name }) => name.length));
    const { dim } = context.terminal.colors;
    printEach(context, options, {
      values,
      lineOf: ({ name, source, hosts }) =>
        `${name.padEnd(width)}  ${source.padEnd('environment'.length)}  ${hosts.length === 0 ? dim('any host') : hosts.join(', ')}`,
    });
    await warnOfGit(context, engine.workspace);
  });
}

/** Stores the value read from stdin, without its final line break. */
export async function setSecret(context: CliContext, name: string, options: GlobalOptions): Promise<void> {
  if (process.stdin.isTTY) {
    throw usageError(
      `Pass the value on stdin, so that it is not stored in the history of the shell: millrace secrets set ${name} < FILE`,
    );
  }
  const value = (await readAll(process.stdin)).replace(/\r?\n$/, '');
  await withWorkspace(context, options, async (engine) => {
    await engine.setSecret({ name, value });
    context.terminal.out(`${name} is stored in ${secretFile}. Only you can read the file.\n`);
    await warnOfGit(context, engine.workspace);
  });
}

/** Removes a secret from the workspace's file. @throws EngineError `secret.not-found` */
export async function removeSecret(context: CliContext, name: string, options: GlobalOptions): Promise<void> {
  await withWorkspace(context, options, async (engine) => {
    if (await engine.removeSecret({ name })) {
      context.terminal.out(`Removed ${name} from ${secretFile}.\n`);
      return;
    }
    throw new EngineError({
      code: 'secret.not-found',
      message: `${secretFile} does not contain ${name}. To see the sources of secrets: millrace secrets list`,
    });
  });
}

/** Allows a flow in an untrusted workspace to use the secrets that it and its webhooks name, until its text changes. */
export async function allowSecrets(context: CliContext, file: string, options: GlobalOptions): Promise<void> {
  const source = await readFlowSource(context, file);
  const { text, shown } = source;
  const { flow, schemas } = await checkFlowSource(source, {
    context,
    workspace: resolveWorkspace(context, options, source.file),
  });
  if (flow === null) throw usageError(`${shown} has problems. To list them: millrace validate ${shown}`);
  const definitionHash = createHash('sha256').update(packDefinition({ text, schemas })).digest('hex');
  await withWorkspace(context, options, async (engine) => {
    const names = [...new Set([...secretNamesOf(flow), ...(await webhookSecretsOf(engine, source.file))])];
    if (names.length === 0) throw usageError(`${shown} does not name any secrets.`);
    await engine.allowSecrets({ path: source.file, definitionHash, names });
    context.terminal.out(`${shown} may use ${names.join(', ')} until its text changes.\n`);
  });
}

/** Returns the secrets of a flow's webhooks, also of those in `triggers.yaml`. */
async function webhookSecretsOf(engine: Engine, file: string): Promise<readonly string[]> {
  const flow = path.relative(engine.workspace, file).split(path.sep).join('/');
  const webhooks = (await engine.listTriggers()).flatMap((entry) =>
    entry.flow === flow && entry.doc.webhook !== undefined ? [webhookSecrets(entry.doc.webhook)] : [],
  );
  return webhooks.flatMap(({ secret, signing }) => [secret, signing]).filter((name) => name !== undefined);
}

interface SecretHost {
  readonly name: string;
  readonly host: string;
}

/** Allows a host to receive a secret from this workspace. From then on, only allowed hosts can receive it. */
export async function allowSecretHost(context: CliContext, allowed: SecretHost, options: GlobalOptions): Promise<void> {
  await withWorkspace(context, options, async (engine) => {
    await engine.allowSecretHost(allowed);
    context.terminal.out(`${allowed.name} may be sent to ${allowed.host} from this workspace.\n`);
  });
}

async function withWorkspace(
  context: CliContext,
  options: GlobalOptions,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const place = { workspace: resolveWorkspace(context, options), store: options.store, trust: options.trust };
  await withEngine(context, place, use);
}

async function warnOfGit({ terminal }: CliContext, workspace: string): Promise<void> {
  if (!(await isGitTracked(workspace, secretFile))) return;
  terminal.err(
    `warning: git tracks ${secretFile}, so its secrets are in the history of this repository. Remove the file from git with "git rm --cached ${secretFile}", and replace the secrets at the services that issued them.`,
  );
}
