/**
 * Publishes flows at addresses, and manages the keys of their callers. The code is loaded with the first call.
 */
import type { Clock } from '../../base/clock.ts';
import type { TriggerListWorld } from '../triggers/trigger-list.ts';
import type { ApiKey } from './api-keys.ts';
import type { AddressLimits, FormPageSettings, PublishedEntry } from './published-flows.ts';

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
}

/** The published flows of a workspace, and the keys of their callers. */
export interface PublishingEngine {
  /** Lists the workspace's published flows by name. @throws EngineError `http.bad-list` */
  listPublished(): Promise<readonly PublishedFlow[]>;
  /**
   * Publishes a flow, confirms it after a change, or changes its settings. Only for a person who has decided it in a
   * system dialog or a terminal.
   * @throws EngineError `publish.*` | `http.bad-list`
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
  /**
   * Returns the address of a flow's form page at a running service, which opens it once within a minute. Only for the
   * browser of the person who uses this program.
   * @throws EngineError `publish.not-found` | `publish.no-page` | `http.not-serving` | `http.bad-list` | `http.key-inside`
   */
  openFormPage(flow: string): Promise<{ readonly url: string }>;
}

interface PublishingWorld extends Pick<TriggerListWorld, 'hashFlow' | 'isTrusted'> {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
}

type BaseEngine = Pick<TriggerListWorld, 'listFlows' | 'readFlow'>;

/** The parts of an engine that publishing needs. */
export type PublishingParts = PublishingWorld & BaseEngine;

/** Adds publishing to an engine. */
export function withPublishing<Base extends BaseEngine>(engine: Base, world: PublishingWorld): Base & PublishingEngine {
  const loaded = async () => {
    const { createPublishing } = await import('./publishing.ts');
    return createPublishing({ ...world, listFlows: engine.listFlows, readFlow: engine.readFlow });
  };
  const added: PublishingEngine = {
    listPublished: async () => (await loaded()).listPublished(),
    publishFlow: async (request) => (await loaded()).publishFlow(request),
    unpublishFlow: async (flow) => (await loaded()).unpublishFlow(flow),
    listApiKeys: async () => (await loaded()).listApiKeys(),
    createApiKey: async (request) => (await loaded()).createApiKey(request),
    revokeApiKey: async (id) => (await loaded()).revokeApiKey(id),
    openFormPage: async (flow) => (await loaded()).openFormPage(flow),
  };
  return Object.assign(engine, added);
}
