/**
 * The calls of a form page to its service.
 */
import type { PageForm } from '../../engine/host/http/page-data.ts';
import type { JsonMap } from '../../engine/language/json/json-value.ts';
import { text } from './text.ts';

/** A request that the service refused. */
export class RefusedError extends Error {
  readonly code: string;
  /** What is wrong with each field, if the service named fields. */
  readonly fields: Readonly<Record<string, string>>;

  constructor({ code = '', message = '', problems = [] }: PageRefusal) {
    super(text.refusals[code] ?? message);
    this.code = code;
    this.fields = Object.fromEntries(problems.map(({ name, field = '', message: why }) => [name ?? field, why]));
  }
}

interface PageRefusal {
  readonly code?: string;
  readonly message?: string;
  /** Of inputs by name, of answers by field. */
  readonly problems?: readonly { readonly name?: string; readonly field?: string; readonly message: string }[];
}

/** Where the page is: the form of a flow, or one of its runs. */
export interface PagePlace {
  readonly name: string;
  readonly runId: string | undefined;
}

/** Reads an address of the form `/f/NAME` or `/f/NAME/runs/RUN`. */
export function placeOf({ pathname }: Pick<Location, 'pathname'>): PagePlace {
  const [, , name = '', , runId] = pathname.split('/');
  return { name, runId };
}

/** @throws RefusedError; TypeError without a connection */
export async function readForm(name: string): Promise<PageForm> {
  return (await call('GET', `/f/${name}/form.json`)) as PageForm;
}

/** @throws as `readForm` */
export async function signIn(name: string, key: string): Promise<void> {
  await call('POST', `/f/${name}/session`, { key });
}

/**
 * @param key the same for repeated attempts to send one form, so that they start one run
 * @throws as `readForm`
 */
export async function startRun(name: string, inputs: JsonMap, key: string): Promise<string> {
  const { runId } = (await call('POST', `/flows/${name}/runs`, inputs, { 'idempotency-key': key })) as {
    readonly runId: string;
  };
  return runId;
}

/** Sends a file, and returns its path as a value of an input. @throws as `readForm` */
export async function upload(name: string, file: File): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' };
  const path = `/flows/${name}/files?name=${encodeURIComponent(file.name)}`;
  const { path: stored } = (await send(path, { method: 'POST', headers, body: file })) as { readonly path: string };
  return stored;
}

/** @throws as `readForm` */
export async function cancelRun(place: PagePlace): Promise<void> {
  await call('POST', `/flows/${place.name}/runs/${place.runId}/cancel${location.search}`, {});
}

/** @throws as `readForm` */
export async function sendAnswer(place: PagePlace, node: string, answer: JsonMap): Promise<void> {
  const path = `/flows/${place.name}/runs/${place.runId}/answers/${encodeURIComponent(node)}`;
  await call('POST', `${path}${location.search}`, answer);
}

async function call(method: string, path: string, body?: JsonMap, headers = {}): Promise<unknown> {
  if (body === undefined) return await send(path, { method, headers });
  const json = { ...headers, 'content-type': 'application/json' };
  return await send(path, { method, headers: json, body: JSON.stringify(body) });
}

async function send(path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(path, request);
  const answer = (await response.json().catch(() => ({}))) as { readonly error?: PageRefusal };
  if (!response.ok) throw new RefusedError(answer.error ?? {});
  return answer;
}
