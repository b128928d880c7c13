/** Tests the description of an address for programs that generate clients. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AddressWorld, askFlow, echoFlow } from './test-addresses.ts';

let world: AddressWorld;

beforeEach(async () => {
  world = new AddressWorld();
  world.write('echo.flow.yaml', echoFlow);
  world.write('ask.flow.yaml', askFlow);
  await world.open();
});
afterEach(() => world.close());

test('is valid OpenAPI 3.1, with the declared inputs and outputs', async () => {
  const key = await world.publish('echo');
  await world.serve({ publicAddress: new URL('https://flows.example.com/') });
  const { json } = await world.send('/flows/echo/openapi.json', { key });
  const validator = new Validator();
  expect(await validator.validate(structuredClone(json))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(json.info).toMatchObject({ title: 'Echo', description: 'Returns a word.' });
  expect(json.servers).toEqual([{ url: 'https://flows.example.com/flows/echo' }]);
  expect(json.components.schemas.Inputs).toEqual({
    type: 'object',
    properties: {
      word: { type: 'string', description: 'The word' },
      times: { type: 'integer', default: 1 },
    },
    required: ['word'],
    additionalProperties: false,
  });
  expect(json.components.schemas.Outputs).toEqual({ type: 'object', properties: { word: {} }, required: ['word'] });
  delete json.info.title;
  expect((await validator.validate(json)).valid).toBe(false);
});

test('describes a flow without declarations, for programs with a key only', async () => {
  const key = await world.publish('ask');
  await world.serve();
  const { json } = await world.send('/flows/ask/openapi.json', { key });
  expect(await new Validator().validate(json)).toEqual({ valid: true });
  expect(json.components.schemas.Inputs).toEqual({ type: 'object', properties: {} });
  expect((await world.send('/flows/ask/openapi.json')).status).toBe(401);
});
