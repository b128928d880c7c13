/**
 * Implements publishing for one workspace.
 */
import { realpath } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { addressNameOf } from '../../language/flow/product-path.ts';
import type { TriggerListWorld } from '../triggers/trigger-list.ts';
import { type ApiKey, addApiKey, openApiKeys, renameInKeys, revokeApiKey, withoutHash } from './api-keys.ts';
import { issuePageToken, readServiceKey } from './page-sessions.ts';
import type { PersonList } from './person-list.ts';
import {
  type AddressLimits,
  checkLimits,
  checkName,
  exposureProblem,
  type FormPageSettings,
  openPublishedFlows,
  type PublishedEntry,
  usualLimits,
  usualPage,
} from './published-flows.ts';
import { type ListeningService, runningServices } from './running-services.ts';

/** A published flow of the workspace. */
export interface PublishedFlow extends PublishedEntry {
  /** The part of its address that identifies it. */
  readonly name: string;
  /** `changed`: something has changed since it was published, so a person has to confirm it. */
  readonly state: 'on' | 'changed';
  /** Why it cannot be called. */
  readonly problem?: string;
}

/** A request to publish a flow. What is absent stays as it is, or gets its usual value. */
export interface PublishRequest {
  /** Path relative to the workspace. */
  readonly flow: string;
  /** Who decides it. */
  readonly by: string;
  /** Unique in the base folder; by default, made from the name of the file. */
  readonly name?: string;
  readonly limits?: Partial<AddressLimits>;
  readonly page?: Partial<FormPageSettings>;
  /** Hash of what the person has seen: nothing is published if it is something else by now. */
  readonly seen?: string;
}

/** What would be published, and how, unless a request changes it. */
export type PublishDraft = Pick<PublishedFlow, 'name' | 'hash' | 'limits' | 'page'>;

/** What publishing needs besides the engine. */
export interface PublishingWorld extends Pick<TriggerListWorld, 'hashFlow' | 'isTrusted'> {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
}

/** The parts of an engine that publishing needs. */
export type PublishableEngine = Pick<TriggerListWorld, 'listFlows' | 'readFlow'>;

type PublishingParts = PublishingWorld & PublishableEngine;

/** Creates the methods of `PublishingEngine`. */
export function createPublishing(world: PublishingParts) {
  const { baseFolder, clock, workspace } = world;
  const published = openPublishedFlows(baseFolder, clock);
  const keys = openApiKeys(baseFolder, clock);
  return {
    async listPublished() {
      if (await published.isIn(workspace)) return [];
      const own = await realpath(workspace);
      const entries = [...(await published.read())].filter(([, entry]) => entry.workspace === own);
      const flows = await Promise.all(entries.map(([name, entry]) => withState(name, entry, world)));
      return flows.sort((left, right) => (left.name < right.name ? -1 : 1));
    },
    async checkPublish(flow: string): Promise<PublishDraft> {
      if (!(await world.isTrusted())) throw refusal('publish.untrusted', untrusted);
      const hash = await hashToPublish(flow, world);
      const [name, entry] = entryOf(flow, await published.read(), await realpath(workspace)) ?? [];
      const { limits = usualLimits, page = usualPage } = entry ?? {};
      return { name: name ?? addressNameOf(flow), hash, limits, page };
    },
    publishFlow: (request: PublishRequest) => publish(request, { published, keys }, world),
    async unpublishFlow(flow: string) {
      const own = await realpath(workspace);
      const isOwn = (entry: PublishedEntry): boolean => entry.workspace === own && entry.flow === flow;
      try {
        for (const [name, entry] of await published.read()) if (isOwn(entry)) await renameInKeys(keys, name);
      } finally {
        await published.change((former) => {
          const left = new Map([...former].filter(([, entry]) => !isOwn(entry)));
          if (left.size === former.size) throw notPublished(flow);
          return left;
        });
      }
    },
    listApiKeys: async () =>
      [...(await keys.read()).values()].map(withoutHash).sort((left, right) => left.createdAt - right.createdAt),
    async createApiKey(request: Pick<ApiKey, 'name' | 'flows' | 'by'>) {
      await refuseInside(keys, workspace);
      const names = await published.read();
      if (request.flows.length === 0) throw needsFlows();
      const missing = request.flows.find((name) => !names.has(name));
      if (missing !== undefined) throw notPublished(missing);
      const { name, by } = request;
      return await addApiKey(keys, { name, by, flows: [...new Set(request.flows)], now: clock.now() });
    },
    revokeApiKey: (id: string) => revokeApiKey(keys, id, clock.now()),
    findService: () => findService(world),
    openFormPage: (flow: string) => openFormPage(flow, published, world),
  };
}

async function publish(
  request: PublishRequest,
  {
    published,
    keys,
  }: { readonly published: PersonList<PublishedEntry>; readonly keys: ReturnType<typeof openApiKeys> },
  world: PublishingParts,
): Promise<PublishedFlow> {
  const { clock, workspace } = world;
  const { flow, by } = request;
  await refuseInside(published, workspace);
  if (!(await world.isTrusted())) throw refusal('publish.untrusted', untrusted);
  const hash = await hashToPublish(flow, world);
  if (request.seen !== undefined && request.seen !== hash) throw changedSince(flow);
  const own = await realpath(workspace);
  let name = request.name;
  let nameBefore: string | undefined;
  const entries = await published.change((former) => {
    const [formerName, entry] = entryOf(flow, former, own) ?? [];
    name = checkName(request.name ?? formerName ?? addressNameOf(flow));
    nameBefore = formerName;
    const other = former.get(name);
    if (other !== undefined && other !== entry) throw nameTaken(name, other);
    const limits = checkLimits({ ...(entry?.limits ?? usualLimits), ...request.limits });
    const page = { ...(entry?.page ?? usualPage), ...request.page };
    const next: PublishedEntry = { workspace: own, flow, hash, by, at: clock.now(), limits, page };
    return new Map([...[...former].filter(([, one]) => one !== entry), [name, next]]);
  });
  if (nameBefore !== undefined && nameBefore !== name) await renameInKeys(keys, nameBefore, name);
  const entry = entries.get(name ?? '');
  if (name === undefined || entry === undefined) throw new Error('The flow was not published.');
  return await withState(name, entry, world);
}

/** Returns the name and the entry of a flow. @param workspace is a real path */
function entryOf(
  flow: string,
  entries: ReadonlyMap<string, PublishedEntry>,
  workspace: string,
): readonly [string, PublishedEntry] | undefined {
  return [...entries].find(([, entry]) => entry.workspace === workspace && entry.flow === flow);
}

async function openFormPage(
  flow: string,
  published: PersonList<PublishedEntry>,
  world: PublishingParts,
): Promise<{ readonly url: string }> {
  const { workspace, baseFolder, clock } = world;
  const own = await realpath(workspace);
  const found = entryOf(flow, await published.read(), own);
  if (found === undefined) throw notPublished(flow);
  const [name, { page }] = found;
  if (!page.isOn) throw refusal('publish.no-page', `The form page of ${flow} is switched off.`);
  const service = await findService(world);
  if (service === null) {
    const message =
      'No service runs for this workspace. Start one: millrace serve, or keep Millrace running in the background.';
    throw refusal('http.not-serving', message);
  }
  const key = await readServiceKey(baseFolder, [workspace]);
  return { url: `${service.origin}/f/${name}?token=${issuePageToken(key, name, clock.now())}` };
}

async function findService({
  workspace,
  baseFolder,
}: PublishingParts): Promise<Omit<ListeningService, 'workspaces'> | null> {
  const own = await realpath(workspace);
  for (const { workspaces, ...service } of await runningServices(baseFolder)) {
    const folders = await Promise.all(workspaces.map((folder) => realpath(folder).catch(() => folder)));
    if (folders.includes(own)) return service;
  }
  return null;
}

/** @throws EngineError `publish.not-found` | `publish.not-exposed` | `publish.unusable` */
async function hashToPublish(flow: string, world: PublishingParts): Promise<string> {
  const flows = await world.listFlows();
  if (flows.every(({ path }) => path !== flow)) {
    const message = `The workspace has no flow ${JSON.stringify(flow)}. Use its path relative to the workspace.`;
    throw refusal('publish.not-found', message);
  }
  const notExposed = await exposureProblem(world.workspace, flow);
  if (notExposed !== undefined) throw refusal('publish.not-exposed', `${flow} cannot be published. ${notExposed}`);
  const { hash, problem } = await hashNow(flow, world);
  if (hash === undefined) throw refusal('publish.unusable', `${flow} cannot be published. ${problem}`);
  return hash;
}

type HashNow =
  | { readonly hash: string; readonly problem?: undefined }
  | { readonly hash?: undefined; readonly problem: string };

async function hashNow(flow: string, world: PublishingParts): Promise<HashNow> {
  try {
    const { text } = await world.readFlow(flow);
    return { hash: await world.hashFlow({ path: flow, text }) };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const isMissing = error.code === 'files.not-found';
    return { problem: isMissing ? 'The file does not exist.' : error.message };
  }
}

async function withState(name: string, entry: PublishedEntry, world: PublishingParts): Promise<PublishedFlow> {
  const { hash, problem: ownProblem } = await hashNow(entry.flow, world);
  const exposed = ownProblem ?? (await exposureProblem(world.workspace, entry.flow));
  const problem = exposed ?? ((await world.isTrusted()) ? undefined : untrusted);
  const state = hash === entry.hash ? 'on' : 'changed';
  return { ...entry, name, state, ...(problem === undefined ? {} : { problem }) };
}

const untrusted =
  'The workspace is not trusted, so none of its flows has an address. Trust it in Settings, or add --trust.';

async function refuseInside(list: PersonList<unknown>, workspace: string): Promise<void> {
  if (!(await list.isIn(workspace))) return;
  const message = `${workspace} contains ${list.file}, so runs of its flows could change the list. Open a smaller folder.`;
  throw refusal('publish.list-inside', message);
}

function changedSince(flow: string): EngineError {
  const message = `${flow} or something that it calls has just changed, so it was not published. Publish it again.`;
  return refusal('flow.changed', message);
}

function needsFlows(): EngineError {
  return refusal('publish.not-found', 'Name at least one published flow that the key may call.');
}

function notPublished(name: string): EngineError {
  return refusal('publish.not-found', `${JSON.stringify(name)} is not published. To list addresses: millrace publish`);
}

function nameTaken(name: string, { flow, workspace }: PublishedEntry): EngineError {
  const message = `The name ${name} is the address of ${flow} in ${workspace}. Choose another name.`;
  return refusal('publish.name-taken', message);
}

function refusal(code: string, message: string): EngineError {
  return new EngineError({ code, message });
}
