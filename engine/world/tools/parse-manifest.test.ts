import { expect, test } from 'vitest';
import { renderDiagnostic } from '../../language/findings/diagnostic.ts';
import { parseManifest } from './parse-manifest.ts';

const good = `tool_id: get_weather
description: Returns the weather of a town.
idempotent: true
max_retries: 2
input_schema:
  type: object
  properties: { town: { type: string } }
  required: [town]
run:
  http: { url: "https://weather.test/{{params.town}}", headers: { x: "{{secret.WEATHER_KEY}}" } }
`;

const problemsOf = (text: string): string[] =>
  parseManifest(text).diagnostics.map((diagnostic) => renderDiagnostic('t', diagnostic));

test('fills in the defaults of a manifest', () => {
  const { manifest, diagnostics, secretNames } = parseManifest(good);
  expect(diagnostics).toEqual([]);
  expect(manifest).toMatchObject({
    tool_id: 'get_weather',
    risk: 'medium',
    timeout_ms: 60_000,
    requires_approval: false,
  });
  expect(secretNames).toEqual(['WEATHER_KEY']);
});

test.each([
  ['', 't:1:1 error yaml.empty The file is empty. A tool needs the keys tool_id, description and run.'],
  ['- a', 't:1:1 error tool.not-a-map A tool must be a map with the keys tool_id, description and run.'],
  [
    good.replace('get_weather', 'Get-Weather'),
    't:1:10 error tool.bad-value tool_id must contain only lowercase letters and digits',
  ],
  [good.replace('get_weather', `a${'b'.repeat(30)}`), 'tool_id must have at most 30 characters'],
  [good.replace('get_weather', 'get__weather'), 'with single _ between words'],
  [
    good.replace('idempotent:', 'idempotant:'),
    't:3:1 warning tool.unknown-key idempotant is unknown and has no effect. Did you mean "idempotent"?',
  ],
  [
    good.replace('idempotent: true\n', ''),
    't:3:14 error tool.bad-value max_retries: only allowed for tools that can safely be called twice',
  ],
  [good.replace('description: Returns the weather of a town.\n', ''), 'tool.missing-key description is missing.'],
  [good.replace('http:', 'htpp:'), 'Did you mean "http"?'],
  [
    good.replace(/run:[\s\S]*/, 'run: { js: "return 1", lua: "return 1" }'),
    'run has lua and js, but needs exactly one of',
  ],
  [good.replace('type: object', 'type: array'), 'input_schema.type must be object.'],
  [good.replace('type: string', 'type: strng'), 'input_schema.properties.town.type: type must be one of null, boolean'],
  [good.replace('{{params.town}}', '{{town}}'), '{{town}} is not available here'],
  [good.replace(/run:[\s\S]*/, 'run: { command: { program: "{{params.town}}" } }'), 'command.program must be fixed'],
  [
    good.replace(/run:[\s\S]*/, 'run: { command: { program: git, args: ["{{secret.KEY}}"] } }'),
    'A secret is not allowed here',
  ],
])('%# reports the problem, its position and a fix', (text, words) => {
  expect(problemsOf(text).join('\n')).toContain(words);
});

test('an unknown key alone does not prevent it from running', () => {
  expect(parseManifest(`${good}more: 1\n`).manifest).not.toBeNull();
});
