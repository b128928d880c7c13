import { describe, test } from 'vitest';
import {
  type Answer,
  checkAnswer,
  data,
  type Expected,
  key,
  type Row,
  setUpOddServer,
} from '../../../testing/odd-model.ts';

setUpOddServer();

const refused = (status: number, body: Answer['body'] | object, type = 'application/json'): Answer => ({
  ...{ status, type },
  body:
    typeof body === 'string' || Buffer.isBuffer(body) || Array.isArray(body) ? (body as string) : JSON.stringify(body),
});
const rejected = (words: string): Expected => ({ error: ['model.rejected', words] });
const tooLong = "This model's maximum context length is 8192 tokens.";

const errors: readonly Row[] = [
  [
    'a text (Ollama)',
    refused(400, { error: 'model "odd" not found, try pulling it first' }),
    rejected('(HTTP 400): model "odd" not found, try pulling it first'),
  ],
  ['a map (OpenAI)', refused(400, { error: { message: tooLong, type: 'x', code: null } }), rejected(tooLong)],
  [
    'an object that is an error (vLLM)',
    refused(400, { object: 'error', message: tooLong, type: 'BadRequestError', code: 400 }),
    rejected(tooLong),
  ],
  [
    'a list of details (FastAPI)',
    refused(422, { detail: [{ type: 'missing', loc: ['body', 'n'], msg: 'Field required' }, { msg: 'Or not' }] }),
    rejected('body.n: Field required; Or not'),
  ],
  ['a detail in words', refused(400, { detail: 'Not today' }), rejected('Not today')],
  ['a message', refused(400, { message: 'Not today', request_id: 'x' }), rejected('Not today')],
  [
    'a list of errors',
    refused(400, { errors: [{ message: 'One' }, { message: 'Two' }, 'Three'] }),
    rejected('One; Two; Three'),
  ],
  [
    'errors by field',
    refused(400, { errors: { n: ['is too small'], top_k: ['is unknown'] } }),
    rejected('n: is too small; top_k: is unknown'),
  ],
  [
    'a list (Gemini)',
    refused(400, JSON.stringify([{ error: { code: 400, message: 'Bad picture', status: 'INVALID' } }])),
    rejected('Bad picture'),
  ],
  [
    'JSON within a text',
    refused(400, { error: JSON.stringify({ error: { message: 'Deep down' } }) }),
    rejected('Deep down'),
  ],
  [
    'the error of another provider (OpenRouter)',
    refused(400, {
      error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"error":{"message":"Too big"}}' } },
    }),
    rejected('Provider returned error: Too big'),
  ],
  [
    'the field that it is about',
    refused(400, { error: { message: 'Not a number.', param: 'n' } }),
    rejected('Not a number.'),
  ],
  [
    'a title and a detail',
    refused(400, { type: 'about:blank', title: 'Bad', detail: 'The prompt is empty' }, 'application/problem+json'),
    rejected('The prompt is empty'),
  ],
  ['a flag and a reason', refused(400, { error: true, reason: 'No such thing' }), rejected('No such thing')],
  [
    'another map',
    refused(400, { ok: 0, why: { nested: 'secret ingredient missing' } }),
    rejected('secret ingredient missing'),
  ],
  ['plain text', refused(404, '  404 page\n not found  ', 'text/plain'), rejected('404 page not found')],
  [
    'a page',
    refused(
      502,
      '<html><head><style>h1 { color: red }</style><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx &amp; co</body></html>',
      'text/html',
    ),
    { error: ['model.unavailable', 'HTTP 502: 502 Bad Gateway nginx & co'] },
  ],
  [
    'XML',
    refused(
      403,
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
      'application/xml',
    ),
    rejected('AccessDenied Access Denied'),
  ],
  ['nothing', refused(400, ''), rejected('Bad Request')],
  ['an event', refused(400, data({ error: { message: 'Streamed' } }), 'text/event-stream'), rejected('Streamed')],
  [
    'Latin-1',
    refused(400, Buffer.from('{"error":"ung\xfcltig"}', 'latin1'), 'application/json; charset=ISO-8859-1'),
    rejected('ungültig'),
  ],
  [
    'Latin-1 that is not declared',
    refused(400, Buffer.from('ung\xfcltig', 'latin1'), 'text/plain'),
    rejected('ungültig'),
  ],
  ['UTF-16', refused(400, Buffer.from('\uFEFF{"error":"ungültig"}', 'utf16le')), rejected('ungültig')],
  [
    'an encoding that does not exist',
    refused(400, '{"error":"Not today"}', 'application/json; charset=klingon'),
    rejected('Not today'),
  ],
  ['control characters', refused(400, 'No\u001b[31m\u0007 way', 'text/plain'), rejected('No [31m way')],
  ['our key', refused(400, { detail: `Key ${key} has no access` }), rejected('Key ••• has no access')],
  [
    'a limit of requests',
    refused(429, '<html><h1>Too Many Requests</h1></html>', 'text/html'),
    { error: ['model.rate-limited', 'Too Many Requests'] },
  ],
  ['something very long', refused(400, 'x'.repeat(300_000), 'text/plain'), rejected(`${'x'.repeat(400)}`)],
];

describe("shows the reason in a server's error response", () => {
  test.each(errors)('%s', (_name, answer, expected) => checkAnswer(answer, expected));
});
