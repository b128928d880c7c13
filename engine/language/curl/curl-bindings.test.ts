import { describe, expect, test } from 'vitest';
import { knownPathsOf } from './curl-bindings.ts';
import { readCurl } from './read-curl.ts';

describe('bindings in a command', () => {
  const isKnown = knownPathsOf({
    flow: { name: 'F', input: { city: 'Oslo' }, inputs: { 'first name': { type: 'string' } } },
    nodes: [{ id: 'fetch', type: 'echo', input: {} }],
  });
  const json = '-H "Content-Type: application/json"';

  test.each<[string, object]>([
    [`curl a.example -d '{"a":"{{ flow.input.city }}"}' ${json}`, { body: { a: '{{ flow.input.city }}' } }],
    [`curl a.example -d '{"a":"{{ input.city }}"}' ${json}`, { body: { a: '\\{{ input.city }}' } }],
    [`curl a.example -d '{"a":"{{flow.input.town}}"}' ${json}`, { body: { a: '\\{{flow.input.town}}' } }],
    [
      `curl a.example -d '{"a":"in {{flow.input.city}}, {{x}}"}' ${json}`,
      { body: { a: 'in {{flow.input.city}}, \\{{x}}' } },
    ],
    [`curl a.example -d '{"a": {{fetch.body}}}' ${json}`, { body: '{"a": {{fetch.body}}}' }],
    [`curl a.example -d 'x={{?fetch.body.id}}'`, { body: 'x={{?fetch.body.id}}' }],
    [`curl a.example -d '{{flow.input["first name"]}}'`, { body: '{{flow.input["first name"]}}' }],
    [`curl a.example -d '{{flow.input.city | default: 1}}'`, { body: '{{flow.input.city | default: 1}}' }],
    [`curl a.example -d '{{other.body}} {{'`, { body: '\\{{other.body}} \\{{' }],
    [`curl a.example -d '{{secret.API_TOKEN}}'`, { body: '\\{{secret.API_TOKEN}}' }],
    [`curl a.example -d '{{flow.name}} {{flow.input}} {{}}'`, { body: '\\{{flow.name}} \\{{flow.input}} \\{{}}' }],
    [
      'curl https://a.example/{{flow.input.city}}?q={{fetch.text}}',
      { url: 'https://a.example/{{flow.input.city}}?q={{fetch.text}}' },
    ],
    [`curl a.example -H 'X-City: {{flow.input.city}}'`, { headers: { 'X-City': '{{flow.input.city}}' } }],
    [`curl a.example -F 'city={{flow.input.city}}'`, { form: { city: '{{flow.input.city}}' } }],
  ])('%s binds what the flow has, and the rest is text', (command, wanted) => {
    const found = readCurl(command, isKnown);
    expect(found?.input).toMatchObject(wanted);
    expect(found?.secrets).toEqual([]);
  });

  test('a bound key is not saved as a secret', () => {
    const found = readCurl(`curl a.example -H 'Authorization: Bearer {{fetch.body.token}}'`, isKnown);
    expect(found?.input).toMatchObject({ headers: { Authorization: 'Bearer {{fetch.body.token}}' } });
    expect(found?.secrets).toEqual([]);
  });
});
