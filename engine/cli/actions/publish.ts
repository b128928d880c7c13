/**
 * Implements `publish` and `keys`.
 */
import { isoTime } from '../../base/clock.ts';
import { systemUser } from '../../host/executor/decide-answer.ts';
import type { Engine } from '../../index.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { oneLine } from '../progress/phrases.ts';
import { confirmChange } from './ask-person.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

/** Options of `publish`. */
export interface PublishFlags extends GlobalOptions {
  readonly flow: string | undefined;
  readonly off?: true;
  readonly name?: string;
  readonly runsAtOnce?: number;
  readonly perHour?: number;
  readonly page?: 'off' | 'key' | 'anyone';
  readonly yes?: true;
}

/** Options of `keys create`. */
export interface CreateKeyFlags extends GlobalOptions {
  readonly flow: readonly string[];
  readonly yes?: true;
}

type ShownAddress = Awaited<ReturnType<Engine['publishFlow']>>;
type CallerKey = Awaited<ReturnType<Engine['listApiKeys']>>[number];

/**
 * Lists the published flows, publishes a flow, or removes its address.
 * @throws EngineError `publish.*` | `permission.refused` | `http.bad-list`
 */
export async function publish(context: CliContext, flags: PublishFlags): Promise<void> {
  const { flow, off } = flags;
  await withWorkspace(context, flags, async (engine) => {
    if (flow === undefined) {
      if (off === true) throw usageError('Name the flow: millrace publish FLOW --off.');
      listPublished(context, flags, await engine.listPublished());
    } else if (off === true) {
      await engine.unpublishFlow(flow);
      context.terminal.err(`${oneLine(flow)} has no address anymore.`);
    } else {
      const { hash: seen } = await engine.checkPublish(flow);
      await confirmChange(flags, `Publish ${oneLine(flow)}, so that programs with a key can start it?`);
      const published = await engine.publishFlow({ flow, by: ownName(), seen, ...settingsOf(flags) });
      listPublished(context, flags, [published]);
    }
  });
}

/** Lists the API keys of the base folder. */
export async function listKeys(context: CliContext, flags: GlobalOptions): Promise<void> {
  await withWorkspace(context, flags, async (engine) => {
    const values = await engine.listApiKeys();
    if (values.length === 0) context.terminal.err('No API keys. Create one: millrace keys create NAME --flow FLOW');
    printEach(context, flags, { values, lineOf: keyLine });
  });
}

/** Creates an API key, and prints it. @throws EngineError `api-key.*` | `publish.*` | `permission.refused` */
export async function createKey(context: CliContext, name: string, flags: CreateKeyFlags): Promise<void> {
  const { flow: flows } = flags;
  await withWorkspace(context, flags, async (engine) => {
    await confirmChange(flags, `Create a key that may start ${flows.map(oneLine).join(', ')}?`);
    const created = await engine.createApiKey({ name, flows, by: ownName() });
    context.terminal.err(`This key is shown only once. To revoke it: millrace keys revoke ${created.id}`);
    printEach(context, flags, { values: [created], lineOf: ({ key }) => key });
  });
}

/** Revokes an API key. @throws EngineError `api-key.not-found` */
export async function revokeKey(context: CliContext, id: string, flags: GlobalOptions): Promise<void> {
  await withWorkspace(context, flags, async (engine) => {
    await engine.revokeApiKey(id);
    context.terminal.err(`Key ${id} is revoked.`);
  });
}

function settingsOf({ name, runsAtOnce, perHour, page }: PublishFlags) {
  const limits = {
    ...(runsAtOnce === undefined ? {} : { runsAtOnce }),
    ...(perHour === undefined ? {} : { perHour }),
  };
  return {
    ...(name === undefined ? {} : { name }),
    limits,
    ...(page === undefined ? {} : { page: { isOn: page !== 'off', needsKey: page !== 'anyone' } }),
  };
}

function listPublished(context: CliContext, flags: GlobalOptions, values: readonly ShownAddress[]): void {
  if (values.length === 0) context.terminal.err('No published flows. Publish one: millrace publish FLOW');
  printEach(context, flags, { values, lineOf: publishedLine });
}

function publishedLine({ name, flow, state, problem, limits, page }: ShownAddress): string {
  const changed = `has changed. To confirm it: millrace publish ${oneLine(flow)}`;
  const words = problem ?? (state === 'changed' ? changed : 'is published');
  const who = page.isOn ? (page.needsKey ? 'with a key' : 'for anyone') : 'off';
  return `/flows/${name}  ${oneLine(flow)} ${oneLine(words)}  (${limits.runsAtOnce} at once, ${limits.perHour} per hour, page ${who})`;
}

function keyLine({ id, name, prefix, flows, createdAt, lastUsedAt, revokedAt }: CallerKey): string {
  const used = lastUsedAt === undefined ? 'never used' : `used ${isoTime(lastUsedAt)}`;
  const state = revokedAt === undefined ? used : `revoked ${isoTime(revokedAt)}`;
  return `${id}  ${prefix}…  ${oneLine(name)}  ${flows.map(oneLine).join(', ')}  created ${isoTime(createdAt)}  ${state}`;
}

function ownName(): string {
  return systemUser() ?? 'the command line';
}

async function withWorkspace(
  context: CliContext,
  options: GlobalOptions,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const place = { workspace: resolveWorkspace(context, options), store: options.store, trust: options.trust };
  await withEngine(context, place, use);
}
