import { describe, expect, test } from 'vitest';
import { misleadingSpellings, plainSpellings } from '../testing/host-spellings.ts';
import { toErrorRecord } from './engine-error.ts';
import {
  addressWithoutQuery,
  dialedHost,
  dialedHostAndPort,
  findWebAddress,
  hostNamesOf,
  hostRule,
  readWebAddress,
  webAddressProblem,
} from './web-address.ts';

function errorOf(text: string, base?: URL) {
  try {
    return { read: readWebAddress(text, base).href };
  } catch (error) {
    return toErrorRecord(error);
  }
}

describe('13.2 a URL', () => {
  test.each(plainSpellings(8080))('%j is the host that it connects to', (text) => {
    expect(['127.0.0.1:8080', 'localhost:8080']).toContain(dialedHostAndPort(readWebAddress(text)));
  });

  test.each(misleadingSpellings(8080))('%j suggests another host and is rejected', (text) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ code: 'web.bad-address', details: { dialed: expect.stringMatching(/:8080$/) } });
    expect(webAddressProblem(text)).toContain('would connect to');
    expect(findWebAddress(text)).toBeUndefined();
  });

  test.each([
    ['http://bücher.example/', 'xn--bcher-kva.example'],
    ['http://BÜCHER.example/', 'xn--bcher-kva.example'],
    ['http://bu\u0308cher.example/', 'xn--bcher-kva.example'],
    ['http://XN--BCHER-KVA.example./', 'xn--bcher-kva.example'],
    ['http://straße.example/', 'xn--strae-oqa.example'],
    ['http://日本.example/', 'xn--wgv71a.example'],
    ['http://a_b.example/', 'a_b.example'],
    ['https://h.example:443/', 'h.example'],
    ['http://h.example:443/', 'h.example:443'],
    ['http://h.example:/', 'h.example'],
    ['http://[::1]:80/', '[::1]'],
    ['http://[0:0::1]/', '[::1]'],
    ['http://[::ffff:10.1.2.3]:81/', '10.1.2.3:81'],
    ['http://0/', '0.0.0.0'],
  ])('%s is %s', (text, host) => {
    expect(dialedHostAndPort(readWebAddress(text))).toBe(host);
  });

  test.each([
    'http://\u212aelvin.example/',
    'http://a.exam\u00adple/',
    'http://日本。example/',
    'http://\ufb00.example/',
    'http://\uff21\u00e4.example/',
  ])('%j contains replaced letters and is rejected', (text) => {
    expect(errorOf(text)).toMatchObject({ code: 'web.bad-address' });
  });

  test('is rejected with the apparent and the actual host', () => {
    expect(errorOf('http://good.example:80@evil.example/a?key=1')).toMatchObject({
      message:
        'The address "http://…@evil.example/a" has a user name or a password before the host. It is read as good.example:80 and would connect to evil.example, so no request was sent. Write http:// or https:// and then the host itself; send a user name and a password in the Authorization header.',
      details: { read: 'good.example:80', dialed: 'evil.example' },
    });
    expect(errorOf('http://evil.example\\@good.example/')).toMatchObject({
      details: { read: 'good.example', dialed: 'evil.example' },
    });
    expect(errorOf('http://ev\u00adil.example/')).toMatchObject({
      message: expect.stringContaining('"http://ev\\u{ad}il.example/"'),
    });
  });

  test.each(['http://me:pw1234@h/?key=sk-1', 'ht\ntp://me:pw1234@h/', 'ftp://me:pw1234@h/', 'http://tok-pw1234@h/'])(
    '%j is rejected without showing its secrets',
    (text) => {
      const { message, details } = errorOf(text) as { message: string; details?: unknown };
      expect(message + JSON.stringify(details)).not.toMatch(/pw1234|sk-1/);
    },
  );

  test.each(['', 'example.org', '/a', 'http://', 'http://[fe80::1%25eth0]/', 'http://a b/', 'http://a:99999/', 'x:a'])(
    '%j is not a valid URL',
    (text) => {
      expect(errorOf(text)).toMatchObject({ code: 'web.bad-url' });
    },
  );
});

describe('13.2 a redirect URL', () => {
  const base = new URL('http://good.example/a/b');

  test.each([
    ['//other.example/x', 'http://other.example/x'],
    ['/x@y\\z', 'http://good.example/x@y/z'],
    ['x', 'http://good.example/a/x'],
    ['?q', 'http://good.example/a/b?q'],
    ['', 'http://good.example/a/b'],
    ['https://other.example', 'https://other.example/'],
  ])('%j is %s', (text, href) => {
    expect(errorOf(text, base)).toEqual({ read: href });
  });

  test.each([
    '///evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '//good.example@evil.example',
    '//e%76il.example/',
    'http:/evil.example',
    'https:evil.example',
    'ht\ntp://evil.example',
    '//evil.example\\@good.example',
  ])('%j suggests another host and is rejected', (text) => {
    expect(errorOf(text, base)).toMatchObject({ code: 'web.bad-address' });
  });
});

describe('13.2 host rules', () => {
  test('a URL has the names that rules may use', () => {
    expect(hostNamesOf(new URL('https://H.example./x'))).toEqual(['h.example', 'h.example', 'h.example:443']);
    expect(hostNamesOf(new URL('http://[::ffff:7f00:1]:8080'))).toEqual([
      '127.0.0.1:8080',
      '127.0.0.1',
      '127.0.0.1:8080',
    ]);
  });

  test.each([
    ['EXAMPLE.com.', 'example.com'],
    [' *.Bücher.example ', '*.xn--bcher-kva.example'],
    ['bücher.example:0443', 'xn--bcher-kva.example:443'],
    ['::1', '[::1]'],
    ['[::0001]:80', '[::1]:80'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['127.*', '127.*'],
    ['*', '*'],
    ['*:8443', '*:8443'],
    ['{a,b}.example', '{a,b}.example'],
    ['[ac].example', undefined],
    ['[xy].example', '[xy].example'],
    ['https://a.example', undefined],
    ['a.example/x', undefined],
    ['me@a.example', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('%j is %j', (text, rule) => {
    expect(hostRule(text)).toBe(rule);
  });

  test('the displayed URL has no parameters', () => {
    const url = readWebAddress('HTTPS://H.example:443/a?key=1#x');
    expect([addressWithoutQuery(url), dialedHost(url)]).toEqual(['https://h.example/a', 'h.example']);
  });
});
