/**
 * Webhooks: requests of other programs that start flows. A request is answered only after its event is on disk, so that
 * an accepted one is never lost.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../../base/engine-error.ts';
import type { Firing } from '../../history/store/firing-store.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { WebhookSignatureDoc } from '../../language/triggers/trigger-doc.ts';
import { webhookSecrets } from '../../language/triggers/trigger-findings.ts';
import type { TriggerEntry } from '../triggers/trigger-list.ts';
import { errorBody } from './http-service.ts';
import type { AddRoutes, HttpContext, HttpWorld } from './served.ts';
import { hasSecret, type ReceivedRequest, secretDigest, signatureHeaders, verifySignature } from './signatures.ts';
import { answerCaller, type Webhook } from './webhook-answers.ts';
import { bodyValue, eventHeaders, eventIdOf, fieldsOf, RequestBodies, refusal } from './webhook-event.ts';

const root = '/hooks/';

/** Changed secrets apply after this time. */
const secretsMs = 5_000;

/** What verifies the callers of a webhook, or why it is not available. */
interface HookSecrets {
  /** Hash of the secret that callers send. */
  readonly secret?: Buffer | undefined;
  readonly signing?: string | undefined;
  readonly problem?: string;
}

/** Adds the addresses of webhooks. */
export const addWebhooks: AddRoutes = (app, world) => {
  const webhooks = new Webhooks(world);
  app.all(`${root}*`, (context) => webhooks.answer(context));
};

class Webhooks {
  readonly #world: HttpWorld;
  readonly #bodies: RequestBodies;
  readonly #refused: RefusedRequests;
  /** By path, and the lists that they were found in. */
  #found: { readonly lists: readonly (readonly TriggerEntry[])[]; readonly hooks: ReadonlyMap<string, Webhook> };
  readonly #secrets = new Map<TriggerEntry, HookSecrets & { readonly at: number }>();

  constructor(world: HttpWorld) {
    this.#world = world;
    this.#bodies = new RequestBodies(world.limits?.bodyBytes ?? 10 * 1024 * 1024);
    this.#refused = new RefusedRequests(world);
    this.#found = { lists: [], hooks: new Map() };
    // Reports addresses that are used twice.
    this.#hooks();
  }

  async answer(context: HttpContext): Promise<Response> {
    const path = context.req.path.slice(root.length);
    const hook = this.#hooks().get(path);
    if (hook === undefined) throw refusal('http.not-found', 'There is no webhook at this address, or it is off.');
    const { method = 'POST' } = hook.doc;
    if (context.req.method !== method) {
      context.header('Allow', method);
      if (context.req.method === 'OPTIONS') return context.body(null, 204);
      return context.json(errorBody('http.bad-method', `This webhook accepts only ${method}.`), 405);
    }
    try {
      return await this.#receive(hook, context);
    } catch (error) {
      const wait = this.#refused.note(hook, error);
      if (wait === undefined) throw error;
      context.header('Retry-After', String(wait));
      throw refusal('http.too-many', 'Too many refused requests. Try again later.');
    }
  }

  /** Returns the webhooks by path. */
  #hooks(): ReadonlyMap<string, Webhook> {
    const { workspaces, onNote } = this.#world;
    const lists = workspaces.map(({ triggers }) => triggers.entries());
    if (lists.every((list, index) => list === this.#found.lists[index])) return this.#found.hooks;
    const hooks = new Map<string, Webhook>();
    for (const [index, list] of lists.entries()) {
      const served = workspaces[index];
      for (const entry of list) {
        const { webhook: doc } = entry.doc;
        if (served === undefined || doc === undefined || entry.state !== 'on' || entry.problem !== undefined) continue;
        const first = hooks.get(doc.path);
        if (first === undefined) hooks.set(doc.path, { ...served, entry, doc });
        else
          onNote(
            `The address ${root}${doc.path} belongs to ${nameOf(first.entry)}, so ${nameOf(entry)} needs another path.`,
          );
      }
    }
    this.#secrets.clear();
    this.#refused.clear();
    this.#found = { lists, hooks };
    return hooks;
  }

  async #receive(hook: Webhook, context: HttpContext): Promise<Response> {
    const { incoming } = context.env;
    const { headers } = incoming;
    const { signature } = hook.doc;
    const secrets = await this.#secretsOf(hook);
    if (secrets.secret !== undefined && !hasSecret({ headers }, secrets.secret))
      throw refusal('http.unauthorized', 'Send the secret as Authorization: Bearer, or as X-Webhook-Secret.');
    const missing = signature && signatureHeaders[signature.style].find((name) => headers[name] === undefined);
    if (missing !== undefined) throw refusal('http.unauthorized', `The request has no header ${missing}.`);
    const caller = hook.doc.answer === 'respond' ? hook.triggers.expectResponse() : undefined;
    try {
      const received = await this.#bodies.with(incoming, async (bytes) => {
        const digest = this.#digestOf(hook, secrets, { headers, body: bytes });
        const body = bodyValue(headers, bytes);
        const greeting = greetingOf(signature?.style, headers, body);
        if (greeting !== undefined) return { greeting };
        const id = eventIdOf({ headers, body, style: signature?.style, digest });
        const query = fieldsOf(incoming.url?.split('?', 2)[1] ?? '');
        const { method } = context.req;
        return await this.#fire(hook, { id, method, body, headers: eventHeaders(headers), query });
      });
      if ('greeting' in received) return context.json(received.greeting);
      return await answerCaller(context, hook, { id: received.id, world: this.#world, caller });
    } finally {
      caller?.leave();
    }
  }

  async #fire({ entry, triggers }: Webhook, event: JsonMap & { readonly id: string }): Promise<Pick<Firing, 'id'>> {
    const { flow, trigger, doc } = entry;
    const place = { flow, trigger, key: event.id, priority: doc.priority ?? 0 };
    const createdAt = this.#world.clock.now();
    return (await triggers.fire({ ...place, event: { trigger, ...event }, createdAt, state: 'waiting' })).firing;
  }

  /** Returns the digest of what was signed; undefined without a signature. @throws EngineError `http.unauthorized` */
  #digestOf({ doc }: Webhook, { signing }: HookSecrets, request: Omit<ReceivedRequest, 'now'>): string | undefined {
    if (doc.signature === undefined || signing === undefined) return undefined;
    const verdict = verifySignature(doc.signature.style, signing, { ...request, now: this.#world.clock.now() });
    if (!verdict.isGenuine) throw refusal('http.unauthorized', verdict.reason);
    return verdict.digest;
  }

  /** @throws EngineError `http.unavailable` if a secret is not available: a webhook never does without */
  async #secretsOf(hook: Webhook): Promise<HookSecrets> {
    const { clock, onNote } = this.#world;
    const now = clock.now();
    let known = this.#secrets.get(hook.entry);
    if (known === undefined || Math.abs(now - known.at) > secretsMs) {
      known = { at: now, ...(await readSecrets(hook)) };
      this.#secrets.set(hook.entry, known);
      if (known.problem !== undefined) onNote(`Webhook ${root}${hook.doc.path} is not available: ${known.problem}`);
    }
    if (known.problem === undefined) return known;
    throw refusal('http.unavailable', 'The webhook has no secret. The notes of the service say why.');
  }
}

/** Reads the secrets of a webhook. One that cannot be read is a problem, also if it is empty. */
async function readSecrets({ triggers, entry, doc }: Webhook): Promise<HookSecrets> {
  const { secret, signing } = webhookSecrets(doc);
  if ((doc.secret !== undefined && secret === undefined) || (doc.signature !== undefined && signing === undefined))
    return { problem: 'Its secret is not a binding such as {{secret.SHOP}}.' };
  const names = [secret, signing].filter((name) => name !== undefined);
  if (names.length === 0) return {};
  try {
    const values = await triggers.readSecrets(entry, names);
    const empty = names.find((name) => (values.get(name) ?? '') === '');
    if (empty !== undefined) return { problem: `The secret ${empty} is empty.` };
    const sent = values.get(secret ?? '');
    return { secret: sent === undefined ? undefined : secretDigest(sent), signing: values.get(signing ?? '') };
  } catch (error) {
    if (EngineError.is(error)) return { problem: error.message };
    throw error;
  }
}

/** Returns the answer to a request that only tests the address; undefined for an event. */
function greetingOf(
  style: WebhookSignatureDoc['style'] | undefined,
  headers: IncomingHttpHeaders,
  body: JsonValue,
): JsonMap | undefined {
  if (style === 'github' && headers['x-github-event'] === 'ping') return { pong: true };
  if (style !== 'slack' || !isJsonMap(body) || body['type'] !== 'url_verification') return undefined;
  return { challenge: body['challenge'] ?? null };
}

function nameOf({ flow, trigger }: TriggerEntry): string {
  return `trigger "${trigger}" of ${flow}`;
}

const minuteMs = 60_000;

/** Refused requests of a webhook in a minute, above which they are only counted. */
const mostRefused = 60;

/**
 * Counts the refused requests of each webhook. Requests that are genuine pass however many others are refused, so that
 * nobody can close a webhook by attacking it.
 */
class RefusedRequests {
  readonly #world: HttpWorld;
  readonly #counts = new Map<Webhook, { readonly since: number; count: number }>();

  constructor(world: HttpWorld) {
    this.#world = world;
  }

  /** @returns the number of seconds to wait; undefined if the caller gets the reason */
  note(hook: Webhook, error: unknown): number | undefined {
    if (!EngineError.is(error)) return undefined;
    const { clock, onNote } = this.#world;
    const now = clock.now();
    const known = this.#counts.get(hook);
    if (known === undefined || Math.abs(now - known.since) >= minuteMs) {
      onNote(`Webhook ${root}${hook.doc.path} refused a request: ${error.message}`);
      this.#counts.set(hook, { since: now, count: 1 });
      return undefined;
    }
    known.count++;
    return known.count > mostRefused ? Math.ceil((minuteMs - (now - known.since)) / 1_000) : undefined;
  }

  clear(): void {
    this.#counts.clear();
  }
}
