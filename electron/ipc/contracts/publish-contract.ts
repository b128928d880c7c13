/**
 * Published flows and the keys of their callers, as shown in windows. Part of `engine-contract.ts`, `main-contract.ts`
 * and `person-contract.ts`.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';
import { askedPath } from './file-contract.ts';

const limits = z.strictObject({ runsAtOnce: z.number(), perHour: z.number(), bodyBytes: z.number() });

const page = z.strictObject({ isOn: z.boolean(), needsKey: z.boolean(), showsProgress: z.boolean() });

const publishedFlow = z.object({
  name: z.string(),
  workspace: z.string(),
  flow: z.string(),
  hash: z.string(),
  by: z.string(),
  at: z.number(),
  limits,
  page,
  state: z.enum(['on', 'changed']),
  problem: z.exactOptional(z.string()),
});

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  flows: z.array(z.string()).readonly(),
  by: z.string(),
  createdAt: z.number(),
  revokedAt: z.exactOptional(z.number()),
  lastUsedAt: z.exactOptional(z.number()),
});

const addressName = z.string().min(1).max(200);

/** A flow to publish, and the settings to change. The engine checks the values. */
const publishRequest = z.strictObject({
  flow: askedPath,
  name: z.exactOptional(addressName),
  limits: z.exactOptional(
    z.strictObject({
      runsAtOnce: z.exactOptional(z.number()),
      perHour: z.exactOptional(z.number()),
      bodyBytes: z.exactOptional(z.number()),
    }),
  ),
  page: z.exactOptional(
    z.strictObject({
      isOn: z.exactOptional(z.boolean()),
      needsKey: z.exactOptional(z.boolean()),
      showsProgress: z.exactOptional(z.boolean()),
    }),
  ),
});

const keyName = z.string().min(1).max(200);

const done = z.void();
const published = z.array(publishedFlow).readonly();

/** The calls of pages. */
export const publishContract = {
  listPublished: call([], published),
  unpublishFlow: call([askedPath], done),
  /** Lists all keys of the user, without their text. */
  listApiKeys: call([], z.array(apiKey).readonly()),
  revokeApiKey: call([z.string().min(1).max(200)], done),
  findService: call([], z.object({ origin: z.string(), publicAddress: z.exactOptional(z.string()) }).nullable()),
} as const;

/** The calls of main. */
export const personPublishing = {
  /** Returns the details for the consent dialog. */
  listPublished: publishContract.listPublished,
  checkPublish: call([askedPath], z.object({ name: z.string(), hash: z.string(), limits, page })),
  /** Everything that the user has agreed to, so that nothing else applies. */
  publishFlow: call(
    [z.strictObject({ flow: askedPath, by: z.string(), name: addressName, limits, page, seen: z.string() })],
    publishedFlow,
  ),
  createApiKey: call(
    [z.strictObject({ name: keyName, flows: z.array(addressName).min(1).max(100).readonly(), by: z.string() })],
    apiKey.extend({ key: z.string() }),
  ),
  /** The address contains a token, which no page may receive. */
  openFormPage: call([askedPath], z.object({ url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }) })),
} as const;

/** The calls of pages to main. */
export const mainPublishing = {
  /**
   * Asks the user, then publishes a flow, confirms it after a change, or changes its settings. Fails with the errors of the engine's `publishFlow`.
   */
  'publish.flow': call([publishRequest], z.object({ isDone: z.boolean() })),
  /**
   * Asks the user, then creates a key for a published flow. Returns its text, which is not stored; null if the user
   * declined. Fails with the errors of the engine's `createApiKey`.
   */
  'publish.createKey': call(
    [z.strictObject({ flow: askedPath, name: keyName })],
    z.object({ key: z.string().nullable() }),
  ),
  /** Opens the form page of a published flow in the browser. Fails with the errors of the engine's `openFormPage`. */
  'publish.openForm': call([z.strictObject({ flow: askedPath })], done),
} as const;
