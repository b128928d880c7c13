import { describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { proxyFor } from './proxy-settings.ts';

const proxy = 'http://proxy.example:3128';

function proxyOf(address: string, env: Readonly<Record<string, string>>) {
  return proxyFor(new URL(address), env);
}

describe('the proxy of a request', () => {
  test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['https://a.example/', { HTTPS_PROXY: proxy }, 'HTTPS_PROXY'],
    ['https://a.example/', { https_proxy: proxy, HTTPS_PROXY: 'http://other' }, 'https_proxy'],
    ['https://a.example/', { HTTP_PROXY: proxy }, undefined],
    ['http://a.example/', { HTTP_PROXY: proxy }, 'HTTP_PROXY'],
    ['http://a.example/', { HTTPS_PROXY: proxy }, undefined],
    ['https://a.example/', { HTTPS_PROXY: ' ' }, undefined],
    ['https://a.example/', { https_proxy: '', HTTPS_PROXY: proxy }, 'HTTPS_PROXY'],
    ['https://a.example/', {}, undefined],
  ])('of %s with %j is named by %s', (address, env, variable) => {
    expect(proxyOf(address, env)?.variable).toBe(variable);
  });

  test.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128/', undefined],
    ['proxy.example:3128', 'http://proxy.example:3128/', undefined],
    ['https://proxy.example', 'https://proxy.example/', undefined],
    ['http://me:p%40ss@proxy.example', 'http://proxy.example/', `Basic ${btoa('me:p@ss')}`],
    ['http://token@proxy.example', 'http://proxy.example/', `Basic ${btoa('token:')}`],
    ['http://[::1]:3128', 'http://[::1]:3128/', undefined],
  ])('reads %s without the password in its URL', (value, href, authorization) => {
    const read = proxyOf('https://a.example/', { HTTPS_PROXY: value });
    expect([read?.url.href, read?.authorization]).toEqual([href, authorization]);
  });

  test.each(['socks5://me:pw1234@proxy.example', 'http://', 'http://me:pw1234@:1', 'ftp://pw1234@x'])(
    'rejects %s without showing it',
    (value) => {
      let error = {};
      try {
        proxyOf('https://a.example/', { HTTPS_PROXY: value });
      } catch (thrown) {
        error = toErrorRecord(thrown);
      }
      expect(error).toMatchObject({ code: 'web.bad-proxy', message: expect.stringContaining('HTTPS_PROXY') });
      expect(JSON.stringify(error)).not.toContain('pw1234');
    },
  );
});

describe('NO_PROXY', () => {
  test.each<[string, string]>([
    ['*', 'https://a.example/'],
    ['a.example', 'https://a.example/'],
    ['A.Example.', 'https://a.example./'],
    ['a.example', 'https://b.a.example/'],
    ['.a.example', 'https://b.a.example/'],
    ['.a.example', 'https://a.example/'],
    ['*.a.example', 'https://b.a.example/'],
    ['x.example,a.example', 'https://a.example/'],
    ['x.example  a.example', 'https://a.example/'],
    ['a.example:443', 'https://a.example/'],
    ['a.example:8443', 'https://a.example:8443/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['localhost', 'https://localhost:1/'],
    ['10.1.2.3', 'https://10.1.2.3/'],
    ['10.1.2.3', 'https://[::ffff:10.1.2.3]/'],
    ['127.1', 'https://127.0.0.1/'],
    ['10.0.0.0/8', 'https://10.1.2.3:99/'],
    ['0.0.0.0/0', 'https://1.2.3.4/'],
    ['10.1.2.3/32', 'https://10.1.2.3/'],
    ['::1', 'https://[::1]/'],
    ['[::1]:8443', 'https://[::1]:8443/'],
    ['fd00::/8', 'https://[fd12::1]/'],
  ])('%s has %s asked directly', (noProxy, address) => {
    expect(proxyOf(address, { HTTPS_PROXY: proxy, NO_PROXY: noProxy })).toBeUndefined();
    expect(proxyOf(address, { HTTPS_PROXY: proxy, no_proxy: noProxy, NO_PROXY: 'x' })).toBeUndefined();
  });

  test.each<[string, string]>([
    ['', 'https://a.example/'],
    ['a.example', 'https://ba.example/'],
    ['a.example', 'https://a.example.evil.test/'],
    ['b.a.example', 'https://a.example/'],
    ['a.example:8443', 'https://a.example/'],
    ['10.1.2.3', 'https://10.1.2.4/'],
    ['10.0.0.0/8', 'https://11.1.2.3/'],
    ['10.0.0.0/8', 'https://ten.example/'],
    ['10.0.0.0/33', 'https://10.0.0.1/'],
    ['10.0.0.0/', 'https://10.0.0.1/'],
    ['fd00::/8', 'https://10.0.0.1/'],
    ['0.1', 'https://10.0.0.1/'],
  ])('%s leaves the proxy for %s', (noProxy, address) => {
    expect(proxyOf(address, { HTTPS_PROXY: proxy, NO_PROXY: noProxy })?.variable).toBe('HTTPS_PROXY');
  });
});
