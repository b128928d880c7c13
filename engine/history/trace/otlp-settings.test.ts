import { expect, test } from 'vitest';
import { otlpSettingsOf } from './otlp-settings.ts';

const local = 'http://127.0.0.1:4318';

test.each([
  [{}],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: local, OTEL_SDK_DISABLED: 'TRUE' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: local, OTEL_TRACES_EXPORTER: 'none' }],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }],
])('sends nothing with %j', (env) => {
  expect(otlpSettingsOf(env)).toBeUndefined();
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: local }, `${local}/v1/traces`],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${local}/otlp/` }, `${local}/otlp/v1/traces`],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${local}/x`, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other' }, `${local}/x`],
  [{ OTEL_TRACES_EXPORTER: 'console, otlp' }, 'http://localhost:4318/v1/traces'],
])('%j sends to %s', (env, address) => {
  expect(otlpSettingsOf(env)).toMatchObject({ endpoint: new URL(address), headers: {}, timeoutMs: 10_000 });
});

test('decodes headers, and prefers headers and timeouts for traces over general ones', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: local,
    OTEL_EXPORTER_OTLP_HEADERS: 'x=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'Authorization=Basic%20YTpi==, x-team = two%2Cthree ,',
    OTEL_EXPORTER_OTLP_TIMEOUT: '250',
  };
  expect(otlpSettingsOf(env)).toMatchObject({
    headers: { authorization: 'Basic YTpi==', 'x-team': 'two,three' },
    timeoutMs: 250,
  });
  expect(otlpSettingsOf({ ...env, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '-1' })).toMatchObject({ timeoutMs: 10_000 });
});

type Env = Readonly<Record<string, string>>;

test.each<[Env, string]>([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'file:///x' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not an http'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://kim:hidden@host' }, 'contains a user name or password'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: local, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'is grpc'],
  ...['hidden', 'a b=hidden', '=hidden', 'a=%hidden', 'a=hidden%0d%0ax:%20y'].map((headers): [Env, string] => [
    { OTEL_EXPORTER_OTLP_ENDPOINT: local, OTEL_EXPORTER_OTLP_HEADERS: headers },
    'OTEL_EXPORTER_OTLP_HEADERS is not a comma-separated list',
  ]),
])('%j is reported as wrong, without values that may be secret', (env, said) => {
  const settings = otlpSettingsOf(env);
  const problem = settings !== undefined && 'problem' in settings ? settings.problem : '';
  expect(problem).toContain(said);
  expect(problem).not.toContain('hidden');
});
