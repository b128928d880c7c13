import { describe, test } from 'vitest';
import {
  checkAnswer,
  chunk,
  data,
  done,
  end,
  ok,
  type Row,
  say,
  setUpOddServer,
  whole,
} from '../../../testing/odd-model.ts';

setUpOddServer();

const thoughts: readonly Row[] = [
  [
    'reasoning_content',
    data(chunk({ reasoning_content: 'hm' })) + say('ok') + end() + done,
    { ...ok, reasoning: 'hm' },
  ],
  ['reasoning', data(chunk({ reasoning: 'hm' })) + say('ok') + end() + done, { ...ok, reasoning: 'hm' }],
  ['thinking', data(chunk({ thinking: 'hm' })) + say('ok') + end() + done, { ...ok, reasoning: 'hm' }],
  [
    'reasoning under two names',
    data(chunk({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] })) +
      say('ok') +
      end() +
      done,
    { ...ok, reasoning: 'hm' },
  ],
  [
    'reasoning as a value',
    data(chunk({ reasoning: { content: 'hm' } })) + say('ok') + end() + done,
    { ...ok, reasoning: 'hm' },
  ],
  [
    'parts',
    say([{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]) +
      say([{ type: 'text', text: 'ok' }]) +
      end() +
      done,
    { ...ok, reasoning: 'hm' },
  ],
  ['tags', say('<think>hm</think>\n\nok') + end() + done, { ...ok, reasoning: 'hm' }],
  [
    'tags that are cut into pieces',
    ['<th', 'ink>h', 'm</thi', 'nk>\n', '\no', 'k'].map((piece) => say(piece)).join('') + end() + done,
    { ...ok, reasoning: 'hm' },
  ],
  ['tags without the opening one', say('hm\n</think>\n\n') + say('ok') + end() + done, { ...ok, reasoning: 'hm' }],
  [
    'tags in one JSON value',
    JSON.stringify(whole({ content: '<think>hm</think>ok', reasoning_content: null })),
    { ...ok, reasoning: 'hm' },
  ],
];

const endings: readonly Row[] = [
  [
    'the length',
    say('ok') + end('length') + done,
    { text: 'ok', finish: 'length', warnings: ['cut off at the provider'] },
  ],
  [
    'another name of the length',
    say('ok') + end('max_tokens') + done,
    { text: 'ok', finish: 'length', warnings: ['cut off'] },
  ],
  [
    'a content filter',
    say('I can') + end('content_filter') + done,
    { finish: 'content-filter', warnings: ['content filter'] },
  ],
  ['a refusal', say('no') + end('refusal') + done, { finish: 'refusal', warnings: ['refused to answer'] }],
  [
    'a refusal in its own field',
    data(chunk({ refusal: 'I cannot.' })) + end() + done,
    { text: 'I cannot.', finish: 'refusal', warnings: ['refused'] },
  ],
  [
    'an error in a text',
    data({ error: 'STREAM_EXPLODED' }) + done,
    { error: ['model.unavailable', 'STREAM_EXPLODED'] },
  ],
  [
    'an error behind some text',
    say('ok') + data({ error: { message: 'Worker died', type: 'x' } }) + done,
    { error: ['model.unavailable', 'Worker died'] },
  ],
  [
    'an error beside choices',
    data({ ...chunk({}), choices: [], error: { code: 502, message: 'limit reached (33/32)' } }),
    { error: ['model.unavailable', 'limit reached (33/32)'] },
  ],
  [
    'an error that is the end',
    say('ok') + data({ ...chunk({ content: '' }, 'error'), error: { code: 'server_error', message: 'Disconnected' } }),
    { error: ['model.unavailable', 'Disconnected'] },
  ],
  [
    'an end that is an error',
    say('ok') + end('error') + done,
    { error: ['model.unavailable', 'ended the response with an error'] },
  ],
  [
    'an error event',
    `event: error\ndata: {"message":"overloaded"}\n\n`,
    { error: ['model.unavailable', 'overloaded'] },
  ],
  [
    'an error event in words',
    `event: error\ndata: upstream is gone\n\n`,
    { error: ['model.unavailable', 'upstream is gone'] },
  ],
  [
    'an error with the status 429',
    data({ error: { message: 'quota exceeded', code: 429 } }) + done,
    { error: ['model.rate-limited', 'quota exceeded'] },
  ],
  [
    'an error with the status 400 as text',
    data({ error: { message: 'too long', code: '400' } }),
    { error: ['model.rejected', 'too long'] },
  ],
  [
    'an error that is invalid',
    data({ error: { message: 'bad tools', type: 'invalid_request_error' } }),
    { error: ['model.rejected', 'bad tools'] },
  ],
  [
    'an object that is an error',
    data({ object: 'error', message: 'no such model', code: 404 }),
    { error: ['model.rejected', 'no such model'] },
  ],
  [
    'a list of details',
    data({ detail: [{ loc: ['body', 'n'], msg: 'too many' }] }),
    { error: ['model.unavailable', 'body.n: too many'] },
  ],
  [
    'a status in the response',
    data({ choices: null, base_resp: { status_code: 1004, status_msg: 'login fail' } }),
    { error: ['model.unavailable', 'login fail'] },
  ],
  [
    'an error in one JSON value',
    JSON.stringify({ error: { message: 'no quota' } }),
    { error: ['model.unavailable', 'no quota'] },
  ],
  [
    'a page',
    { type: 'text/html', body: '<html><body><h1>Log in</h1></body></html>' },
    { error: ['model.unavailable', 'Log in'] },
  ],
  ['nothing', '', { error: ['model.unavailable', 'without a finish'] }],
  ['nothing but the end mark', done, { error: ['model.unavailable', 'response is empty'] }],
  [
    'half a chunk',
    `${say('ok')}data: {"id":"c1","choices":[{"ind`,
    { error: ['model.unavailable', 'without a finish'] },
  ],
  [
    'a cut in the middle',
    { body: say('ok'), isCut: true },
    { error: ['model.unavailable', 'the connection closed before the response was complete'] },
  ],
];

describe('13.4 separates thinking from the text', () => {
  test.each(thoughts)('%s', (_name, answer, expected) => checkAnswer(answer, expected));
});
describe('reports how a response ended', () => {
  test.each(endings)('%s', (_name, answer, expected) => checkAnswer(answer, expected));
});
