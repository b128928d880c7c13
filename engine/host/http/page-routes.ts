/**
 * The form pages of published flows. A page is a script with a strict policy; what it shows arrives as JSON.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { EngineError } from '../../base/engine-error.ts';
import { defaultInputs, type InputDoc, type InputHeader } from '../../language/flow/flow-interface.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { Addresses, FlowAddress } from './addresses.ts';
import { findApiKey, openApiKeys } from './api-keys.ts';
import type { PageField, PageForm } from './page-data.ts';
import { followPageRun, wordsOf } from './page-run.ts';
import type { PageSession, PageSessions } from './page-sessions.ts';
import { readJsonMap } from './request-body.ts';
import type { HttpEnv } from './served.ts';
import { mostFiles } from './uploads.ts';

/** Everything that a page may load, run or send to is its own service; nothing may show it in a frame. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Paths of the files in the built page, as it names them. */
const assetPath = '/form-page/';
const assetTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const mostKeyBytes = 1_000;
/** Proxies close connections on which nothing arrives. */
const pulseMs = 15_000;

type PageContext = Context<HttpEnv>;

/** Adds the form pages. */
export function addPageRoutes(app: Hono<HttpEnv>, addresses: Addresses): void {
  let built: Promise<BuiltPage> | undefined;
  const files = (): Promise<BuiltPage> => {
    built ??= readPage(addresses.world.pageFolder ?? builtPageFolder());
    return built;
  };
  app.get(`${assetPath}:file`, async (context) => {
    const content = (await files()).assets.get(context.req.param('file'));
    if (content === undefined) return context.notFound();
    context.header('Content-Type', content.type);
    context.header('Cache-Control', 'public, max-age=31536000, immutable');
    return context.body(content.bytes);
  });
  for (const path of ['/f/:name', '/f/:name/runs/:run'] as const)
    app.get(path, async (context) => {
      try {
        return (await enter(context, addresses)) ?? showPage(context, await files());
      } catch (error) {
        const isForPerson = context.req.header('accept')?.includes('text/html') === true;
        if (!isForPerson || !EngineError.is(error) || error.code !== 'http.not-found') throw error;
        context.status(404);
        return showPage(context, await files(), { isMissing: true });
      }
    });
  app.get('/f/:name/form.json', async (context) => {
    const { address } = await addresses.callOf(context.req, context.req.param('name'));
    return context.json(await formOf(address));
  });
  app.post('/f/:name/session', (context) => signIn(context, addresses));
  app.get('/f/:name/runs/:run/progress', async (context) => {
    const { name, run: runId } = context.req.param();
    const call = await addresses.callOf(context.req, name, runId);
    const run = await addresses.run(call, runId);
    const { address, caller } = call;
    const sessions = await addresses.sessions;
    const link = caller.kind === 'page' ? sessions?.runLink({ name, runId }, caller.session) : undefined;
    const { showsProgress } = address.page;
    const { clock } = addresses.world;
    return streamRun(context, { engine: address.engine, runId: run.runId, showsProgress, clock }, link);
  });
}

/** @throws EngineError `http.not-found` */
async function pageOf(name: string, addresses: Addresses): Promise<FlowAddress & { readonly sessions: PageSessions }> {
  const address = await addresses.find(name);
  const sessions = await addresses.sessions;
  if (address?.page.isOn !== true || sessions === undefined) throw noPage();
  return { ...address, sessions };
}

/** Lets a browser in, if it may. @returns an answer instead of the page */
async function enter(context: PageContext, addresses: Addresses): Promise<Response | undefined> {
  const { req } = context;
  const name = req.param('name') ?? '';
  const { page, sessions } = await pageOf(name, addresses);
  const token = req.query('token');
  const isRedeemed = token !== undefined && sessions.redeem(name, token);
  if (isRedeemed) addCookie(context, addresses, sessions, {});
  else if (!page.needsKey && !hasSession(context, sessions)) addCookie(context, addresses, sessions, { isOpen: true });
  // The token must not stay in the address, the history or a bookmark.
  return token === undefined ? undefined : context.redirect(`/f/${name}${isRedeemed ? '' : '?expired'}`, 303);
}

function hasSession({ req }: PageContext, sessions: PageSessions): boolean {
  const request = {
    method: req.method,
    header: (key: string) => req.header(key),
    query: (key: string) => req.query(key),
  };
  return sessions.of(request, { name: req.param('name') ?? '' }) !== undefined;
}

function addCookie(
  context: PageContext,
  { world: { publicAddress } }: Addresses,
  sessions: PageSessions,
  session: Omit<PageSession, 'id'>,
): void {
  const isSecure = context.get('isPublic') && publicAddress?.protocol === 'https:';
  context.header('Set-Cookie', sessions.cookie(context.req.param('name') ?? '', { ...session, isSecure }));
}

/** Exchanges an API key for a session. @throws EngineError `http.unauthorized` | `http.not-found` */
async function signIn(context: PageContext, addresses: Addresses): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const { sessions } = await pageOf(name, addresses);
  const { key: text } = await readJsonMap(context.req, mostKeyBytes);
  const { baseFolder, clock } = addresses.world;
  const keys = openApiKeys(baseFolder, clock);
  const found = typeof text === 'string' ? await findApiKey(keys, text.trim()) : undefined;
  if (found === undefined || !found.flows.includes(name)) throw badKey();
  addCookie(context, addresses, sessions, { keyId: found.id });
  return context.json({});
}

function streamRun(
  context: PageContext,
  run: Omit<Parameters<typeof followPageRun>[0], 'signal'>,
  link: string | undefined,
): Response {
  return streamSSE(context, async (stream) => {
    const closed = new AbortController();
    stream.onAbort(() => closed.abort());
    let stopPulse = (): void => {};
    const pulse = (): void => {
      stopPulse = run.clock.setTimer(() => void stream.write(': \n\n').then(pulse), pulseMs);
    };
    pulse();
    try {
      if (link !== undefined) await stream.writeSSE({ event: 'link', data: link });
      for await (const state of followPageRun({ ...run, signal: closed.signal }))
        await stream.writeSSE({ data: JSON.stringify(state) });
      // A browser would connect again.
      await stream.writeSSE({ event: 'end', data: '' });
    } catch (error) {
      if (!closed.signal.aborted) throw error;
    } finally {
      stopPulse();
    }
  });
}

async function formOf({ name, flow: path, engine, limits }: FlowAddress): Promise<PageForm> {
  const flow = (await engine.listPublished()).find((one) => one.name === name);
  if (flow === undefined || flow.problem !== undefined) throw noPage();
  if (flow.state === 'changed') throw changed();
  const { doc } = parseFlow((await engine.readFlow(path)).text);
  if (doc === null) throw noPage();
  const { name: title, description } = doc.flow;
  return {
    title: title.includes(' ') ? title : wordsOf(title),
    ...(description === undefined ? {} : { description }),
    fields: fieldsOf(doc.flow),
    mostBytes: limits.bodyBytes,
    mostFiles,
  };
}

/** Declared inputs in their order, then those that only have a default. */
function fieldsOf(header: InputHeader): readonly PageField[] {
  const { inputs = {} } = header;
  const defaults = defaultInputs(header);
  const declared = Object.entries(inputs).map(([name, doc]) =>
    fieldOf(name, doc, Object.hasOwn(defaults, name) ? defaults[name] : undefined),
  );
  const others = Object.entries(defaults).flatMap(([name, value]) =>
    Object.hasOwn(inputs, name) ? [] : [fieldOf(name, { type: typeOf(value) }, value)],
  );
  return [...declared, ...others];
}

function fieldOf(name: string, doc: InputDoc, value: JsonValue | undefined): PageField {
  return {
    name,
    label: wordsOf(name),
    type: doc.type,
    isRequired: doc.required === true,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    ...(doc.enum === undefined ? {} : { choices: doc.enum }),
    ...(doc.format === 'file' ? { accept: doc.accept?.split(/, ?/) ?? [] } : {}),
    ...(value === undefined ? {} : { default: value }),
  };
}

function typeOf(value: JsonValue): InputDoc['type'] {
  if (isJsonList(value)) return 'array';
  if (isJsonMap(value) || value === null) return 'object';
  return typeof value as 'string' | 'number' | 'boolean';
}

interface BuiltPage {
  readonly html: string;
  readonly assets: ReadonlyMap<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }>;
}

/** Returns the folder beside the built program, which may be in a folder for its chunks. */
function builtPageFolder(): string {
  const depths = ['..', join('..', '..'), join('..', '..', '..', 'out')];
  const folders = depths.map((depth) => join(import.meta.dirname, depth, 'form-page'));
  const folder = folders.find((one) => existsSync(join(one, 'index.html')));
  if (folder !== undefined) return folder;
  const message = 'The form page is missing in this program. To build it: npm run build -- form-page';
  throw new EngineError({ code: 'http.no-page', message });
}

/** Reads all files of the page, so that a request can name nothing else. */
async function readPage(folder: string): Promise<BuiltPage> {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const names = (await readdir(folder)).filter((name) => extname(name) in assetTypes);
  const assets = names.map(async (name) => {
    const bytes = new Uint8Array(await readFile(join(folder, name)));
    return [name, { bytes, type: assetTypes[extname(name)] ?? '' }] as const;
  });
  return { html, assets: new Map(await Promise.all(assets)) };
}

/** The script of the page says in the person's language that the form is missing. */
function showPage(context: PageContext, { html }: BuiltPage, { isMissing = false } = {}): Response {
  context.header('Content-Security-Policy', pagePolicy);
  context.header('Vary', 'Accept-Language');
  const language = languageOf(context.req.header('accept-language') ?? '');
  return context.html(html.replace('<html lang="en">', `<html lang="${language}"${isMissing ? ' data-missing' : ''}>`));
}

/** Returns the language of the page that a browser prefers. */
function languageOf(accepted: string): 'en' | 'de' {
  const wanted = accepted
    .split(',')
    .map((part) => part.trim().split(';q='))
    .map(([tag = '', weight = '1']) => ({ language: tag.slice(0, 2).toLowerCase(), weight: Number(weight) }))
    .sort((left, right) => right.weight - left.weight);
  return wanted.find(({ language }) => language === 'en' || language === 'de')?.language === 'de' ? 'de' : 'en';
}

function noPage(): EngineError {
  return new EngineError({ code: 'http.not-found', message: 'There is no form at this address.' });
}

function changed(): EngineError {
  const message = 'The flow of this form has changed. Whoever published it must confirm the change first.';
  return new EngineError({ code: 'flow.changed', message });
}

function badKey(): EngineError {
  return new EngineError({ code: 'http.unauthorized', message: 'This key does not open this form.' });
}
