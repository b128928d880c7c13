import { describe, test } from 'vitest';
import {
  called,
  checkAnswer,
  chunk,
  counted,
  data,
  done,
  end,
  file,
  inputA,
  ok,
  type Row,
  say,
  setUpOddServer,
  usage,
  whole,
} from '../../../testing/odd-model.ts';

setUpOddServer();

const streams: readonly Row[] = [
  ['choices that are null', say('ok') + end() + data({ id: 'c1', choices: null, usage }) + done, counted],
  ['no choices', say('ok') + end() + data({ id: 'c1', usage }) + done, counted],
  ['an empty list of choices first', data({ choices: [], prompt_filter_results: [] }) + say('ok') + end() + done, ok],
  ['one choice that is not in a list', data({ choices: { delta: { content: 'ok' } } }) + end() + done, ok],
  ['usage as text', say('ok') + end('stop', { usage: { prompt_tokens: '5', completion_tokens: '3' } }) + done, counted],
  ['usage of nulls', say('ok') + end('stop', { usage: { prompt_tokens: null, completion_tokens: null } }) + done, ok],
  ['usage that is a text', say('ok') + end('stop', { usage: 'none' }) + done, ok],
  ['usage in the choice', say('ok') + data({ choices: [{ index: 0, finish_reason: 'stop', usage }] }) + done, counted],
  [
    'usage under other names',
    say('ok') + end('stop', { usage: { input_tokens: 5, output_tokens: 3 } }) + done,
    counted,
  ],
  ['a delta that is null', data(chunk(null)) + say('ok') + end() + done, ok],
  ['no delta', data({ choices: [{ index: 0 }] }) + say('ok') + end() + done, ok],
  [
    'an unusual role',
    data(chunk({ role: 'model', content: 'o' })) + data(chunk({ role: '', content: 'k' })) + end() + done,
    ok,
  ],
  [
    'content as a list',
    say([
      { type: 'text', text: 'o' },
      { type: 'output_text', text: 'k' },
    ]) +
      end() +
      done,
    ok,
  ],
  ['content as a part', say({ type: 'text', text: 'ok' }) + end() + done, ok],
  ['content that is a number', say(7) + end() + done, { text: '7' }],
  ['content that is the JSON asked for', say({ city: 'Oslo' }) + end() + done, { text: '{"city":"Oslo"}' }],
  ['text of older completions', data({ choices: [{ index: 0, text: 'ok', finish_reason: 'stop' }] }) + done, ok],
  ['a text as delta', data({ choices: [{ index: 0, delta: 'ok' }] }) + end() + done, ok],
  ['data without a blank', (say('ok') + end() + done).replaceAll('data: ', 'data:'), ok],
  ['CRLF', (say('ok') + end() + done).replaceAll('\n', '\r\n'), ok],
  ['CR alone', (say('ok') + end() + done).replaceAll('\n', '\r'), ok],
  [
    'comments that keep the connection alive',
    `: keep\n\n${say('o')}: OPENROUTER PROCESSING\n\n${say('k')}${end()}${done}`,
    ok,
  ],
  ['ids, names and retries of events', `retry: 5\nid: 1\nevent: message\n${say('ok')}${end()}${done}`, ok],
  ['no end mark', say('ok') + end(), ok],
  ['no blank lines', (say('o') + say('k') + end() + done).replaceAll('\n\n', '\n'), ok],
  [
    'an event of several lines',
    `data: {"choices":\ndata: [{"index":0,"delta":{"content":"ok"}}]}\n\n${end()}${done}`,
    ok,
  ],
  ['a byte order mark', `\uFEFF${say('ok')}${end()}${done}`, ok],
  [
    'single bytes',
    [...Buffer.from(say('Grüße 👩‍🚀 日本') + end() + done)].map((byte) => Buffer.from([byte])),
    { text: 'Grüße 👩‍🚀 日本' },
  ],
  ['another content type', { type: 'text/plain', body: say('ok') + end() + done }, ok],
  ['extra fields', say('ok', { x: { y: 1 }, service_tier: null, system_fingerprint: 7 }) + end() + data({}) + done, ok],
  [
    'numbers as text',
    data({ id: 7, created: '1', model: 'odd', choices: [{ index: '0', delta: { content: 'ok' } }] }) + end() + done,
    ok,
  ],
  ['a model and time that are null', say('ok', { model: null, created: 1.5 }) + end() + done, ok],
  [
    'a second choice',
    data({
      choices: [
        { index: 0, delta: { content: 'ok' } },
        { index: 1, delta: { content: 'no' } },
      ],
    }) +
      end() +
      done,
    ok,
  ],
  ['another name of the usual end', say('ok') + end('eos') + done, ok],
  ['an empty reason before it', data(chunk({ content: 'ok' }, '')) + end('STOP') + done, ok],
  ['no reason', say('ok') + done, { ...ok, warnings: ['did not report why its response ended'] }],
  [
    'no reason, but the usage',
    say('ok') + data({ choices: [], usage }),
    { ...counted, warnings: ['did not report why'] },
  ],
  [
    'a chunk that cannot be read',
    `${say('o')}data: {"choices":[{"ind\n\n${say('k')}${end()}${done}`,
    { ...ok, warnings: ['1 part of'] },
  ],
  [
    'several of them',
    `data: nonsense\n\n${say('ok')}data: [1,\n\ndata: 5\n\n${end()}${done}`,
    { ...ok, warnings: ['3 parts of'] },
  ],
  ['an unreadable line between chunks', `${say('ok')}oops\n\n${end()}${done}`, { ...ok, warnings: ['1 part of'] }],
  [
    'one JSON value instead',
    { type: 'application/json', body: JSON.stringify(whole({ content: 'ok' }, { usage })) },
    counted,
  ],
  [
    'one JSON value on several lines',
    { type: 'text/html', body: `\uFEFF${JSON.stringify(whole({ content: 'ok' }), null, 2)}\n` },
    ok,
  ],
  ['one JSON value as an event', data(whole({ content: 'ok' })), ok],
  [
    'one JSON value without a reason',
    JSON.stringify({ choices: [{ message: { content: 'ok' } }] }),
    { ...ok, warnings: ['did not report'] },
  ],
  [
    'one JSON value with calls',
    JSON.stringify(whole({ content: null, tool_calls: [{ function: { name: file, arguments: inputA } }] })),
    called(inputA),
  ],
  ['a list of chunks', JSON.stringify([chunk({ content: 'o' }), chunk({ content: 'k' }, 'stop')]), ok],
  [
    'lines of JSON',
    [chunk({ content: 'o' }), chunk({ content: 'k' }, 'stop')].map((one) => `${JSON.stringify(one)}\n`),
    ok,
  ],
  ['a connection that closes after the end', { body: say('ok') + end(), isCut: true }, ok],
];

describe('reads a malformed stream', () => {
  test.each(streams)('%s', (_name, answer, expected) => checkAnswer(answer, expected));
});
