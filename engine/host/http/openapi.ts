/**
 * Describes the address of a flow in OpenAPI 3.1, for programs that generate clients.
 */
import { inputsSchemaOf } from '../../language/flow/flow-interface.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { FlowAddress } from './addresses.ts';

/** @param origin of the service, for example `https://flows.example.com` */
export async function flowOpenApi({ engine, name, flow, hash }: FlowAddress, origin: string): Promise<JsonMap> {
  const { text } = await engine.readFlow(flow);
  const header = parseFlow(text).doc?.flow;
  const { $schema: _, ...inputs } = inputsSchemaOf(header ?? {});
  return {
    openapi: '3.1.0',
    info: {
      title: header?.name ?? name,
      ...(header?.description === undefined ? {} : { description: header.description }),
      version: hash.slice(0, 12),
    },
    servers: [{ url: `${origin}/flows/${name}` }],
    security: [{ apiKey: [] }],
    paths: {
      '/runs': { post: startOperation },
      '/runs/{runId}': { parameters: [runId], get: readOperation },
      '/runs/{runId}/events': { parameters: [runId], get: followOperation },
      '/runs/{runId}/cancel': { parameters: [runId], post: cancelOperation },
      '/runs/{runId}/answers/{node}': { parameters: [runId, nodeName], post: answerOperation },
    },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: mk_…' } },
      schemas: {
        Inputs: inputs,
        Outputs: outputsSchema(Object.keys(header?.outputs ?? {})),
        ...schemas,
      },
      responses: { Run: runResponse, Error: errorResponse },
    },
  };
}

/** The types of outputs are those of the nodes that provide them, which may be unknown. */
function outputsSchema(names: readonly string[]): JsonMap {
  if (names.length === 0) return { description: 'The outputs of the last nodes by ID.' };
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: [...names] };
}

const ref = (name: string): JsonMap => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonMap): JsonMap => ({ 'application/json': { schema } });
const runAnswer: JsonMap = { $ref: '#/components/responses/Run' };
const failed: JsonMap = { $ref: '#/components/responses/Error' };
const runResponse: JsonMap = { description: 'The run.', content: json(ref('Run')) };
const errorResponse: JsonMap = {
  description: 'The request was refused. 429 has Retry-After.',
  content: json(ref('Error')),
};

const pathText = (name: string): JsonMap => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const runId = pathText('runId');
const nodeName = pathText('node');
const header = (name: string, description: string): JsonMap => ({
  ...{ name, in: 'header', description },
  schema: { type: 'string' },
});

const startOperation: JsonMap = {
  operationId: 'startRun',
  summary: 'Start a run',
  parameters: [
    header('Idempotency-Key', 'Requests with the same key and inputs start one run.'),
    header('Prefer', 'wait=SECONDS waits up to 60 seconds for the end of the run.'),
  ],
  requestBody: { required: true, content: json(ref('Inputs')) },
  responses: { 200: runAnswer, 202: runAnswer, default: failed },
};

const readOperation: JsonMap = {
  operationId: 'getRun',
  summary: 'Read the status, the outputs and the open questions of a run',
  responses: { 200: runAnswer, default: failed },
};

const followOperation: JsonMap = {
  operationId: 'followRun',
  summary: 'Follow a run as server-sent events: run, node, waiting and end',
  parameters: [
    header('Last-Event-ID', 'Continue after this event.'),
    { name: 'after', in: 'query', description: 'The same, as a parameter.', schema: { type: 'integer', minimum: -1 } },
  ],
  responses: {
    200: { description: 'The events.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    204: { description: 'The run has ended, and there are no more events.' },
    default: failed,
  },
};

const cancelOperation: JsonMap = {
  operationId: 'cancelRun',
  summary: 'Cancel a run',
  responses: { 202: runAnswer, default: failed },
};

const answerOperation: JsonMap = {
  operationId: 'answerQuestion',
  summary: 'Answer a question of a run',
  requestBody: { required: true, content: json(ref('Answer')) },
  responses: { 202: runAnswer, default: failed },
};

const text: JsonMap = { type: 'string' };
const status: JsonMap = {
  type: 'string',
  enum: ['queued', 'running', 'suspended', 'interrupted', 'completed', 'failed', 'cancelled', 'skipped'],
};

const schemas: JsonMap = {
  Run: {
    type: 'object',
    required: ['runId', 'status', 'startedAt', 'links'],
    properties: {
      runId: text,
      status,
      startedAt: { type: 'string', format: 'date-time' },
      durationMs: { type: 'number' },
      outputs: ref('Outputs'),
      error: ref('Problem'),
      questions: { type: 'array', items: ref('Question') },
      links: { type: 'object', additionalProperties: text },
      isNew: { type: 'boolean', description: 'False if an earlier request with the same key has started the run.' },
    },
  },
  Question: {
    type: 'object',
    required: ['node', 'key', 'title', 'schema'],
    properties: {
      node: text,
      key: text,
      title: text,
      message: text,
      schema: { type: 'object', description: 'JSON Schema of the values.' },
      defaults: { type: 'object' },
      deadlineAt: { type: 'string', format: 'date-time' },
    },
  },
  Answer: {
    type: 'object',
    required: ['values'],
    properties: { values: { type: 'object' }, key: text },
    additionalProperties: false,
  },
  Problem: {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: text, message: text, nodeId: text },
  },
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: text, message: text, problems: { type: 'array', items: { type: 'object' } } },
      },
    },
  },
};
