/**
 * Publishes flows at addresses, and manages the keys of their callers. The code is loaded with the first call.
 */
import type { ApiKey } from './api-keys.ts';
import type { PublishableEngine, PublishDraft, PublishedFlow, PublishingWorld, PublishRequest } from './publishing.ts';
import type { ListeningService } from './running-services.ts';

/** The published flows of a workspace, and the keys of their callers. */
export interface PublishingEngine {
  /** Lists the workspace's published flows by name. @throws EngineError `http.bad-list` */
  listPublished(): Promise<readonly PublishedFlow[]>;
  /**
   * Returns what would be published now, for a dialog.
   * @throws EngineError `publish.untrusted` | `publish.not-found` | `publish.not-exposed` | `publish.unusable`
   */
  checkPublish(flow: string): Promise<PublishDraft>;
  /**
   * Publishes a flow, confirms it after a change, or changes its settings. Only for a person who has decided it in a
   * system dialog or a terminal.
   * @throws EngineError `publish.*` | `http.bad-list`; `flow.changed` if it is not what the person has seen
   */
  publishFlow(request: PublishRequest): Promise<PublishedFlow>;
  /** Removes the address of a flow. @throws EngineError `publish.not-found` | `http.bad-list` */
  unpublishFlow(flow: string): Promise<void>;
  /** Lists all keys of the base folder, the oldest first. @throws EngineError `http.bad-list` */
  listApiKeys(): Promise<readonly ApiKey[]>;
  /**
   * Creates a key for published flows. Only for a person who has decided it in a system dialog or a terminal.
   * @returns the key with its text, which is not stored
   * @throws EngineError `api-key.bad-name` | `publish.not-found` | `publish.list-inside` | `http.bad-list`
   */
  createApiKey(request: Pick<ApiKey, 'name' | 'flows' | 'by'>): Promise<{ readonly key: string } & ApiKey>;
  /** Revokes a key, from the next request on. @throws EngineError `api-key.not-found` | `http.bad-list` */
  revokeApiKey(id: string): Promise<void>;
  /** Finds a running service for the workspace, of any process on this machine. Null if there is none. */
  findService(): Promise<Omit<ListeningService, 'workspaces'> | null>;
  /**
   * Returns the address of a flow's form page at a running service, which opens it once within a minute. Only for the
   * browser of the person who uses this program.
   * @throws EngineError `publish.not-found` | `publish.no-page` | `http.not-serving` | `http.bad-list` | `http.key-inside`
   */
  openFormPage(flow: string): Promise<{ readonly url: string }>;
}

/** Adds publishing to an engine. */
export function withPublishing<Base extends PublishableEngine>(
  engine: Base,
  world: PublishingWorld,
): Base & PublishingEngine {
  const loaded = async () => {
    const { createPublishing } = await import('./publishing.ts');
    return createPublishing({ ...world, listFlows: engine.listFlows, readFlow: engine.readFlow });
  };
  const added: PublishingEngine = {
    listPublished: async () => (await loaded()).listPublished(),
    checkPublish: async (flow) => (await loaded()).checkPublish(flow),
    publishFlow: async (request) => (await loaded()).publishFlow(request),
    unpublishFlow: async (flow) => (await loaded()).unpublishFlow(flow),
    listApiKeys: async () => (await loaded()).listApiKeys(),
    createApiKey: async (request) => (await loaded()).createApiKey(request),
    revokeApiKey: async (id) => (await loaded()).revokeApiKey(id),
    findService: async () => (await loaded()).findService(),
    openFormPage: async (flow) => (await loaded()).openFormPage(flow),
  };
  return Object.assign(engine, added);
}
