import { expect, test } from 'vitest';
import { verdictOf } from './layered-policy.ts';
import { parsePolicy } from './parse-policy.ts';

const where = { place: 'elsewhere', workspace: '/ws', isTrusted: true, isDry: false } as const;

function ruleFor(text: string, target: string): string | undefined {
  const { policy, problems } = parsePolicy(text);
  expect(problems).toEqual([]);
  return verdictOf({ scope: 'workspace', file: 'policy.yaml', policy }, { ...where, effect: 'web', target })?.rule;
}

test.each([
  ['example.com', 'https://EXAMPLE.com./x'],
  ['Example.COM.', 'http://example.com:8080/'],
  ['example.com:443', 'https://example.com/'],
  ['example.com:80', 'http://example.com/'],
  ['"*.bücher.example"', 'https://a.xn--bcher-kva.example/'],
  ['bücher.example', 'https://BÜCHER.example/'],
  ['127.0.0.1', 'http://2130706433/'],
  ['127.0.0.1', 'http://[::ffff:7f00:1]/'],
  ['::ffff:127.0.0.1', 'http://127.1/'],
  ['127.*', 'http://0x7f.1:99/'],
  ['"[::1]"', 'http://[0:0::1]:8080/'],
  ['::1', 'http://[::1]/'],
  ['"*:8080"', 'http://a.example:8080/'],
  ['"*"', 'http://a.example/'],
])('13.2 the blocked host %s matches the host of %s', (rule, target) => {
  expect(ruleFor(`blocked_hosts: [${rule}]\n`, target)).toBe('host_blocked');
  expect(ruleFor(`allowed_hosts: [${rule}]\n`, target)).toBeUndefined();
});

test.each([
  ['example.com:443', 'http://example.com/'],
  ['example.com', 'https://example.com.evil.test/'],
  ['"*.example.com"', 'https://example.com/'],
  ['127.0.0.1', 'http://localhost/'],
  ['"[::1]"', 'http://1.example/'],
])('13.2 the host %s does not match the host of %s', (rule, target) => {
  expect(ruleFor(`blocked_hosts: [${rule}]\n`, target)).toBeUndefined();
  expect(ruleFor(`allowed_hosts: [${rule}]\n`, target)).toBe('host_not_in_allowlist');
});

test.each(['https://example.com', 'example.com/path', 'me@example.com', '"a b"', '"#x"'])(
  'reports a rule that no host can match: %s',
  (rule) => {
    for (const key of ['allowed_hosts', 'blocked_hosts']) {
      const { policy, problems } = parsePolicy(`${key}: [${rule}]\n`);
      expect(policy).toBeUndefined();
      expect(problems).toMatchObject([{ line: 1, message: expect.stringContaining('without a scheme or path') }]);
    }
  },
);
