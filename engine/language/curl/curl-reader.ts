/**
 * Converts the parts of a curl command to those of a request: method, URL, headers and body.
 */
import { readExactJson } from '../json/exact-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { IsKnownPath } from './curl-bindings.ts';
import { readCurlForm } from './curl-form.ts';
import type { CurlMessages } from './curl-messages.ts';
import { type CurlOption, quietOptions, valuesOf } from './curl-options.ts';
import { type CurlSecret, namesSecret, SecretFinder } from './curl-secrets.ts';
import { base64, cut, decoded, urlEncoded } from './curl-texts.ts';

/** The request that a command makes. */
export interface CurlRequest {
  /** Input of an `http.request`. Secrets are written as `{{secret.NAME}}`. */
  readonly input: JsonMap;
  readonly secrets: readonly CurlSecret[];
  /** Sentences about parts that were ignored, or that work differently here. */
  readonly notes: readonly string[];
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Headers that the HTTP client sets for each connection. */
const connectionHeaders: ReadonlySet<string> = new Set(
  'host,content-length,connection,accept-encoding,transfer-encoding,keep-alive,te,upgrade,trailer,expect'.split(','),
);

const dataOptions = ['data', 'data-ascii', 'data-binary', 'data-raw', 'data-urlencode', 'json'];

const understood: ReadonlySet<string> = new Set([
  ...dataOptions,
  ...'form,form-string,url,url-query,request,header,user,cookie,user-agent,referer,get,head,oauth2-bearer'.split(','),
]);

/** Returns the value of an Authorization header. */
function credentials(scheme: 'Basic' | 'Bearer', value: string): string {
  return `${scheme} ${value}`;
}

/** What a reader needs besides the command. */
export interface CurlContext {
  /** Returns which bindings stay bindings. */
  readonly isKnown: IsKnownPath;
  readonly messages: CurlMessages;
}

/** Assembles the parts of a request. */
export class CurlReader {
  readonly #options: readonly CurlOption[];
  readonly #finder: SecretFinder;
  readonly #messages: CurlMessages;
  readonly #notes: string[];
  readonly #headers = new Map<string, { readonly name: string; readonly value: string }>();
  #address: string;

  constructor(address: string, options: readonly CurlOption[], notes: readonly string[], context: CurlContext) {
    const next = options.findIndex(({ name }) => name === 'next');
    this.#options = next === -1 ? options : options.slice(0, next + 1);
    this.#address = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
    this.#finder = new SecretFinder(this.#address, context.isKnown);
    this.#messages = context.messages;
    this.#notes = [...notes];
  }

  read(): CurlRequest {
    for (const value of this.#values('header')) this.#addHeader(value);
    this.#addShorthands();
    const data = this.#data();
    const isGet = this.#has('get');
    if (isGet) this.#addQuery(data);
    this.#addQuery(this.#values('url-query').map((value) => urlEncoded(value)));
    const sent = readCurlForm(this.#options, this.#finder, this.#messages);
    const method = this.#method(sent.form !== undefined || (data.length > 0 && !isGet));
    const form = this.#form(sent, method);
    const text = isGet || data.length === 0 ? undefined : data.join(this.#has('json') ? '' : '&');
    const url = this.#url();
    const headers = this.#shownHeaders(text !== undefined);
    const body = text === undefined ? undefined : this.#body(text, method);
    this.#noteOthers();
    const input: JsonMap = {
      url,
      method,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
    };
    const { secrets } = this.#finder;
    return { input, secrets, notes: this.#notes };
  }

  #form({ form, notes }: ReturnType<typeof readCurlForm>, method: string): JsonMap | undefined {
    if (form === undefined || (method !== 'GET' && method !== 'HEAD')) {
      this.#notes.push(...notes);
      // The header includes the boundary between the parts, which is different for each request.
      if (form !== undefined) this.#headers.delete('content-type');
      return form;
    }
    this.#notes.push(this.#messages.request.formIgnored({ method }));
    return undefined;
  }

  #has(name: string): boolean {
    return this.#options.some((option) => option.name === name);
  }

  #values(...names: readonly string[]): readonly string[] {
    return valuesOf(this.#options, ...names);
  }

  #addHeader(line: string): void {
    const [, name = '', sign, value = ''] = /^([^:;]+)([:;])\s*([\s\S]*)$/.exec(line) ?? [];
    if (line.startsWith('@') || name === '') this.#notes.push(this.#messages.request.header({ header: cut(line) }));
    // curl omits a header without a value. With a semicolon, it sends an empty one.
    else if (value !== '' || sign === ';') this.#set(name.trim(), value.trim());
  }

  #set(name: string, value: string): void {
    const key = name.toLowerCase();
    const former = this.#headers.get(key);
    const between = key === 'cookie' ? '; ' : ', ';
    this.#headers.set(key, {
      name: former?.name ?? name,
      value: former === undefined ? value : former.value + between + value,
    });
  }

  #setMissing(name: string, value: string): void {
    if (!this.#headers.has(name.toLowerCase())) this.#set(name, value);
  }

  #addShorthands(): void {
    for (const value of this.#values('user-agent')) this.#set('User-Agent', value);
    for (const value of this.#values('referer')) this.#set('Referer', value.replace(/;auto$/, ''));
    for (const value of this.#values('oauth2-bearer')) this.#set('Authorization', credentials('Bearer', value));
    for (const value of this.#values('cookie')) {
      if (value.includes('=') || value.includes('\uE000')) this.#set('Cookie', value);
      else this.#notes.push(this.#messages.request.cookieFile({ file: cut(value) }));
    }
    const [, login] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#@]*)@/i.exec(this.#address)?.slice(1) ?? [];
    if (login !== undefined) this.#address = this.#address.replace(`${login}@`, '');
    for (const user of [...this.#values('user'), ...(login === undefined ? [] : [decoded(login)])])
      this.#addLogin(user);
  }

  #addLogin(user: string): void {
    if (!user.includes(':')) this.#notes.push(this.#messages.request.passwordMissing);
    if (user.includes('\uE000')) {
      this.#notes.push(this.#messages.request.variableLogin);
      this.#set('Authorization', credentials('Basic', '<login>'));
    } else this.#setMissing('Authorization', credentials('Basic', base64(user.includes(':') ? user : `${user}:`)));
  }

  /** Returns the body in parts. */
  #data(): readonly string[] {
    return this.#options.flatMap(({ name, value }) => {
      if (!dataOptions.includes(name)) return [];
      if (name === 'data-urlencode') {
        const file = /^[^=@]*@(.*)$/.exec(value)?.[1];
        if (file === undefined) return [urlEncoded(value)];
        this.#noteFile(file);
        return [];
      }
      if (name === 'data-raw' || !value.startsWith('@')) return [value];
      this.#noteFile(value.slice(1));
      return [];
    });
  }

  #noteFile(file: string): void {
    this.#notes.push(this.#messages.request.bodyFile({ file: cut(file) }));
  }

  #addQuery(parts: readonly string[]): void {
    if (parts.length === 0) return;
    const [own = '', fragment] = this.#address.split('#');
    this.#address =
      own + (own.includes('?') ? '&' : '?') + parts.join('&') + (fragment === undefined ? '' : `#${fragment}`);
  }

  #method(hasBody: boolean): string {
    const usual = this.#has('head') ? 'HEAD' : hasBody ? 'POST' : 'GET';
    const asked = this.#values('request').at(-1)?.toUpperCase();
    if (asked === undefined || methods.has(asked)) return asked ?? usual;
    this.#notes.push(this.#messages.request.method({ method: cut(asked), usual }));
    return usual;
  }

  #url(): string {
    const [before = '', ...queries] = (this.#address.split('#')[0] ?? '').split('?');
    const host = /^[a-z]+:\/\/[^/]*/i.exec(before)?.[0] ?? '';
    if (host.includes('\uE000')) {
      this.#notes.push(this.#messages.request.variableServer);
    }
    const plainHost = host.replaceAll(/[\uE000\uE001]/g, '');
    const path = this.#finder.plain(before.slice(host.length), this.#messages.places.url);
    if (queries.length === 0) return plainHost + path;
    const query = queries
      .join('?')
      .split('&')
      .map((part) => this.#parameter(part, this.#messages.places.urlParameter));
    return `${plainHost}${path}?${query.join('&')}`;
  }

  /** Returns a part of a query or a form. */
  #parameter(part: string, placeOf: (named: { readonly name: string }) => string): string {
    const sign = part.indexOf('=');
    const name = sign === -1 ? part : part.slice(0, sign);
    const place = placeOf({ name: cut(decoded(name)) });
    if (sign === -1 || !namesSecret(decoded(name))) return this.#finder.plain(part, place);
    return `${this.#finder.plain(name, place)}=${this.#finder.hide(decoded(part.slice(sign + 1)), name, place)}`;
  }

  #shownHeaders(hasBody: boolean): JsonMap {
    if (hasBody && this.#has('json')) {
      this.#setMissing('Content-Type', 'application/json');
      this.#setMissing('Accept', 'application/json');
    } else if (hasBody) this.#setMissing('Content-Type', 'application/x-www-form-urlencoded');
    const own = [...this.#headers.values()];
    const isOfConnection = ({ name }: { readonly name: string }): boolean =>
      name.startsWith(':') || connectionHeaders.has(name.toLowerCase());
    const left = own.filter(isOfConnection).map(({ name }) => name);
    if (left.length > 0) this.#notes.push(this.#messages.request.connectionHeaders({ headers: left.join(', ') }));
    const kept = own.filter((header) => !isOfConnection(header));
    return Object.fromEntries(kept.map(({ name, value }) => [name, this.#headerValue(name, value)]));
  }

  #headerValue(name: string, value: string): string {
    const place = this.#messages.places.header({ name });
    if (!namesSecret(name)) return this.#finder.plain(value, place);
    const scheme = /authorization$/i.test(name)
      ? /^(?:Bearer|Basic|Token|ApiKey|Key|GenieKey|Bot|OAuth)\s+/i.exec(value)?.[0]
      : undefined;
    const kind = /^basic/i.test(scheme ?? '') ? 'login' : name;
    return (scheme ?? '') + this.#finder.hide(value.slice(scheme?.length ?? 0), kind, place);
  }

  #body(text: string, method: string): JsonValue | undefined {
    if (method === 'GET' || method === 'HEAD') {
      this.#notes.push(this.#messages.request.bodyIgnored({ method }));
      return undefined;
    }
    const type = this.#headers.get('content-type')?.value ?? '';
    if (/[/+]json\b/i.test(type)) {
      const read = readExactJson(text);
      if (read.kind === 'value' && typeof read.value === 'object' && read.value !== null)
        return this.#value(read.value, '');
    }
    if (!/urlencoded/i.test(type)) return this.#finder.plain(text, this.#messages.places.body);
    return text
      .split('&')
      .map((part) => this.#parameter(part, this.#messages.places.bodyField))
      .join('&');
  }

  #value(value: JsonValue, key: string): JsonValue {
    const place = this.#messages.places.bodyField({ name: cut(key) });
    if (typeof value === 'string') {
      return namesSecret(key) ? this.#finder.hide(value, key, place) : this.#finder.plain(value, place);
    }
    if (isJsonList(value)) return value.map((one) => this.#value(one, key));
    if (!isJsonMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#value(one, name)]));
  }

  #noteOthers(): void {
    /** Explanations for curl options that work differently here. */
    const otherwise: Readonly<Record<string, string>> = this.#messages.options;
    const names = new Set(this.#options.map(({ name }) => name));
    for (const name of names) {
      if (understood.has(name) || quietOptions.has(name)) continue;
      const known = Object.hasOwn(otherwise, name) ? otherwise[name] : undefined;
      this.#notes.push(
        known ?? this.#messages.unknownOption({ option: `${name.length === 1 ? '-' : '--'}${cut(name)}` }),
      );
    }
  }
}
