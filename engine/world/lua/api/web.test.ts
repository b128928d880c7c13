import { beforeEach, describe, expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import type { HostCaller, HostCalls, WebAnswer } from '../host-calls.ts';
import { webApi } from './web.ts';

type Asked = HostCalls['web.request']['params'];

let asked: Asked[];
let answer: WebAnswer;

const host: HostCaller = (_name, params) => {
  asked.push(params as Asked);
  return answer as never;
};

const call = apiCaller(webApi, host);

beforeEach(() => {
  asked = [];
  answer = { status: 200, url: 'http://x/final', text: '{"a":[1]}', headers: { 'content-type': 'application/json' } };
});

describe('requests', () => {
  test('get sends the default user agent and follows up to five redirects', () => {
    expect(call('get', 'http://x/')).toEqual({
      success: true,
      status: 200,
      url: 'http://x/final',
      content: '{"a":[1]}',
      content_type: 'application/json',
      headers: { 'content-type': 'application/json' },
    });
    expect(asked).toEqual([{ method: 'GET', url: 'http://x/', headers: [['user-agent', 'aipack']], redirectLimit: 5 }]);
  });

  test('post sends a text as plain/text and a table as JSON unless the headers set another type', () => {
    call('post', 'http://x/', 'hi');
    call('post', 'http://x/', { a: [1, null], b: [], c: {} });
    call('post', 'http://x/', [], { headers: { 'Content-Type': 'application/vnd.x+json' } });
    expect(asked.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'hi'],
      ['POST', '{"a":[1,null],"b":{},"c":{}}'],
      ['POST', '{}'],
    ]);
    expect(asked.map(({ headers }) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1])).toEqual([
      'plain/text',
      'application/json',
      'application/vnd.x+json',
    ]);
    expect(() => call('post', 'http://x/', true)).toThrow('Data must be a string or a table');
    expect(() => call('post', 'http://x/')).toThrow('Data must be a string or a table');
  });

  test('takes the user agent from the option, then the header, then the default, and omits it if it is false', () => {
    const agentOf = (options: Parameters<typeof call>[1]) => {
      call('get', 'http://x/', options);
      return asked.at(-1)?.headers.filter(([name]) => name.toLowerCase() === 'user-agent');
    };
    const headers = { 'User-Agent': 'from header' };
    expect(agentOf({ user_agent: 'me', headers })).toEqual([['user-agent', 'me']]);
    expect(agentOf({ headers })).toEqual([['user-agent', 'from header']]);
    expect(agentOf({ user_agent: true, headers })).toEqual([['user-agent', 'aipack']]);
    expect(agentOf({ user_agent: false, headers })).toEqual([]);
    expect(agentOf(undefined)).toEqual([['user-agent', 'aipack']]);
  });

  test('sends headers with several values and passes on other options', () => {
    call('get', 'http://x/', { headers: { Accept: ['a', 'b'], 'X-One': '1' }, redirect_limit: 0 });
    expect(asked[0]).toMatchObject({
      headers: [
        ['Accept', 'a'],
        ['Accept', 'b'],
        ['X-One', '1'],
        ['user-agent', 'aipack'],
      ],
      redirectLimit: 0,
    });
    expect(() => call('get', 'http://x/', { headers: { a: 1 } })).toThrow(
      /Header values must be strings or arrays of strings/,
    );
    expect(() => call('get', 'http://x/', 'fast')).toThrow(/Expected nil or a table for WebOptions/);
  });
});

describe('responses', () => {
  test('returns an error status instead of raising it', () => {
    answer = { status: 404, url: 'http://x/', text: 'gone', headers: {} };
    expect(call('get', 'http://x/')).toEqual({
      success: false,
      status: 404,
      url: 'http://x/',
      content: 'gone',
      headers: {},
      error: 'Not a 2xx status code (404)',
    });
  });

  test('JSON becomes a table if the script requests it and the server declares the type', () => {
    expect(call('get', 'http://x/', { parse: true })).toMatchObject({ content: { a: [1] } });
    answer = { ...answer, headers: { 'content-type': 'application/problem+json; charset=utf-8' } };
    expect(call('get', 'http://x/', { parse: true })).toMatchObject({ content: { a: [1] } });
    answer = { ...answer, headers: { 'content-type': 'text/plain' } };
    expect(call('get', 'http://x/', { parse: true })).toMatchObject({ content: '{"a":[1]}' });
  });

  test('invalid JSON stays text and is returned with an error', () => {
    answer = { ...answer, text: '{' };
    expect(call('get', 'http://x/', { parse: true })).toMatchObject({
      success: true,
      content: '{',
      error: expect.stringMatching(/^Cannot parse the content as JSON\. Cause: /),
    });
  });

  test('raises an error if the server cannot be reached', () => {
    const refused = apiCaller(webApi, () => {
      throw new Error('x cannot be reached.');
    });
    expect(() => refused('get', 'http://x/')).toThrow(
      'Fail to do aip.web.get for url: http://x/\nCause: x cannot be reached.',
    );
    expect(() => refused('post', 'http://x/', '')).toThrow(
      'Fail to do aip.web.post for url: http://x/\nCause: x cannot be reached.',
    );
  });
});

describe('URLs', () => {
  test('parses a URL', () => {
    expect(call('parse_url', 'https://user:pass@example.com:8080/path/to?key1=val1&key2=a%20b#frag')).toEqual({
      scheme: 'https',
      host: 'example.com',
      port: 8080,
      path: '/path/to',
      query: { key1: 'val1', key2: 'a b' },
      fragment: 'frag',
      username: 'user',
      password: 'pass',
      url: 'https://user:pass@example.com:8080/path/to?key1=val1&key2=a%20b#frag',
      page_url: 'https://example.com:8080/path/to',
    });
    expect(call('parse_url', 'http://x')).toEqual({
      scheme: 'http',
      host: 'x',
      path: '/',
      username: '',
      url: 'http://x/',
      page_url: 'http://x/',
    });
    expect(call('parse_url', undefined)).toBeUndefined();
    expect(() => call('parse_url', 'not a valid url')).toThrow(
      "Cannot parse url 'not a valid url'. Cause: relative URL without a base",
    );
    expect(() => call('parse_url', 'http://')).toThrow("Cannot parse url 'http://'. Cause: not a valid address");
    expect(() => call('parse_url', 1)).toThrow(
      'aip.web.parse_url argument - accepted argument types are String or Nil, but was integer',
    );
  });

  test('resolves a URL relative to its page', () => {
    const base = 'https://base.com/docs/path';
    expect(call('resolve_href', 'https://other.com/a b', base)).toBe('https://other.com/a b');
    expect(call('resolve_href', 'sub/page.html', base)).toBe('https://base.com/docs/sub/page.html');
    expect(call('resolve_href', '/other', base)).toBe('https://base.com/other');
    expect(call('resolve_href', '//cdn.com/x.js', 'http://base.com')).toBe('http://cdn.com/x.js');
    expect(call('resolve_href', undefined, base)).toBeUndefined();
    expect(() => call('resolve_href', 'a', 'no-base')).toThrow(
      "aip.web.resolve_href: Invalid base_url 'no-base'. Cause: relative URL without a base",
    );
    expect(() => call('resolve_href', '//[', base)).toThrow(/^aip\.web\.resolve_href: Failed to join href '\/\/\['/);
  });

  test('provides two user agent strings', () => {
    const values = webApi.members.flatMap((one) => ('value' in one ? [[one.name, one.value]] : []));
    expect(values).toEqual([
      ['UA_AIPACK', 'aipack'],
      ['UA_BROWSER', expect.stringMatching(/^Mozilla\/5\.0 .*Chrome/)],
    ]);
  });
});
