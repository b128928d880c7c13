/** n8n HTTP Request nodes, of all versions. */
import { parseJson } from '../../json/exact-json.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { TypeMapping } from '../mapping.ts';
import { at, entryOf, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import { type N8nNode, n8nNode } from './n8n-node.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const known = [
  ...['url', 'method', 'requestMethod', 'sendQuery', 'queryParameters', 'specifyQuery', 'jsonQuery', 'sendHeaders'],
  ...['headerParameters', 'specifyHeaders', 'jsonHeaders', 'sendBody', 'contentType', 'specifyBody', 'bodyParameters'],
  ...['jsonBody', 'body', 'rawContentType', 'options', 'queryParametersUi', 'headerParametersUi', 'bodyParametersUi'],
  ...['jsonParameters', 'bodyParametersJson', 'headerParametersJson', 'queryParametersJson', 'responseFormat'],
  'provideSslCertificates',
];
const knownOptions = ['response', 'redirect', 'timeout', 'batching', 'allowUnauthorizedCerts', 'fullResponse'];

function convertRequest({ params, texts }: N8nNode) {
  const lost: string[] = [];
  const method = (textAt(params, 'method') || textAt(params, 'requestMethod') || 'GET').toUpperCase();
  if (!methods.includes(method)) return { why: `The method ${method} is not supported.` };
  const pairs = (key: string, json: string): JsonMap => {
    const written = texts.text(textAt(params, json));
    const parsed = parseJson(written);
    if (isJsonMap(parsed)) return parsed;
    if (written.trim() !== '') lost.push(`${json} is not JSON and was not imported.`);
    const list = mapsAt(mapAt(params, key), 'parameters');
    const older = mapsAt(mapAt(params, `${key}Ui`), 'parameter');
    return Object.fromEntries(
      [...list, ...older].map((one) => [textAt(one, 'name'), texts.text(textAt(one, 'value'))]),
    );
  };
  const url = withQuery(texts.text(textAt(params, 'url')), pairs('queryParameters', 'jsonQuery'));
  const headers = pairs('headerParameters', 'jsonHeaders');
  const openKey = Object.entries(headers).find(
    ([name, value]) => /authorization|api.?key|token|secret/i.test(name) && !String(value).includes('{{'),
  );
  if (openKey !== undefined) lost.push(`The header ${openKey[0]} contains a key as plain text. Use a secret instead.`);
  const options = Object.keys(mapAt(params, 'options')).filter((name) => !knownOptions.includes(name));
  if (options.length > 0) lost.push(`Not imported: the options ${options.join(', ')}.`);
  const authentication = textAt(params, 'authentication');
  if (!['', 'none'].includes(authentication))
    lost.push('Not imported: the authentication. Add a header with a secret.');
  const input = {
    url,
    ...(method === 'GET' ? {} : { method }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...bodyOf({ params, texts, pairs, lost }),
  };
  return { type: 'http.request', input, lost };
}

interface BodyParts extends Pick<N8nNode, 'params' | 'texts'> {
  readonly pairs: (key: string, json: string) => JsonMap;
  readonly lost: string[];
}

function bodyOf({ params, texts, pairs, lost }: BodyParts): JsonMap {
  const kind = textAt(params, 'contentType');
  if (params['sendBody'] === false) return {};
  const written = ['jsonBody', 'bodyParametersJson', 'body']
    .map((key) => textAt(params, key))
    .find((text) => text !== '');
  if (written !== undefined) {
    const text = texts.text(written);
    return { body: parseJson(text) ?? text };
  }
  if (kind === 'binaryData' || kind === 'multipart-form-data') lost.push('Not imported: files in the body.');
  const fields = pairs('bodyParameters', '');
  if (Object.keys(fields).length === 0) return {};
  return kind === 'form-urlencoded' || kind === 'multipart-form-data' ? { form: fields } : { body: fields };
}

/** Appends parameters to a URL; bindings in them are encoded when the request is sent. */
function withQuery(url: string, parameters: JsonMap): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${encodeURIComponent(name)}=${queryValue(value)}`);
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function queryValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('{{') ? text : encodeURIComponent(text);
}

/** Mapping of HTTP Request nodes. */
export const n8nHttp: TypeMapping = n8nNode({
  known: [...known, 'authentication', 'nodeCredentialType', 'genericAuthType'],
  convert: convertRequest,
  at({ rest, isList }, node, context) {
    if (isList === true) return undefined;
    const response = mapAt(mapAt(mapAt(node.settings, 'parameters'), 'options'), 'response');
    const isFull = at(mapAt(response, 'response'), 'fullResponse') === true;
    const id = context.idOf(node);
    if (!isFull) return [id, 'body', ...rest];
    const names = new Map([['statusCode', 'status']]);
    const [first, ...others] = rest;
    return first === undefined ? [id] : [id, names.get(first) ?? first, ...others];
  },
});

/** Returns the delay of a Wait node in milliseconds; undefined if it waits for something else. */
export function waitMs(params: JsonMap, version: number): number | undefined {
  const resume = textAt(params, 'resume') || 'timeInterval';
  if (resume !== 'timeInterval') return undefined;
  const seconds: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };
  const unit = textAt(params, 'unit') || (version >= 1.1 ? 'seconds' : 'hours');
  const amount = params['amount'] === undefined ? (version >= 1.1 ? 5 : 1) : numberAt(params, 'amount');
  const factor = entryOf(seconds, unit);
  return amount === undefined || factor === undefined ? undefined : amount * factor * 1000;
}
