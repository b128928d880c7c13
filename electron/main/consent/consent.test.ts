import type { MessageBoxOptions } from 'electron';
import { expect, test } from 'vitest';
import {
  createConsent,
  deleteRunQuestion,
  deliveryQuestion,
  folderQuestion,
  hostQuestion,
  leftProcessesQuestion,
  newKeyQuestion,
  packQuestion,
  trustQuestion,
} from './consent.ts';
import { teamQuestion } from './team-consent.ts';

const question = { message: 'Do it?', detail: 'It is done then.', allow: 'Do It' };

test('only the allow button grants consent; Enter and Escape do not', async () => {
  const shown: MessageBoxOptions[] = [];
  const answers = [0, 1, -1];
  const consent = createConsent(async (options) => {
    shown.push(options);
    return { response: answers.shift() ?? 1, checkboxChecked: false };
  });
  expect([await consent(question), await consent(question), await consent(question)]).toEqual([true, false, false]);
  expect(shown[0]).toMatchObject({ buttons: ['Do It', 'Cancel'], defaultId: 1, cancelId: 1 });
});

test('refuses a question while another is open, and accepts questions again afterwards, also after an error', async () => {
  const open: ((fails: boolean) => void)[] = [];
  const consent = createConsent(
    () =>
      new Promise((resolve, reject) => {
        open.push((fails) =>
          fails ? reject(new Error('The window is gone')) : resolve({ response: 0, checkboxChecked: false }),
        );
      }),
  );
  const first = consent(question);
  expect(await consent(question)).toBe(false);
  expect(open).toHaveLength(1);
  open[0]?.(true);
  await expect(first).rejects.toThrow('gone');
  const again = consent(question);
  open[1]?.(false);
  expect(await again).toBe(true);
});

test('the questions name what is about to be allowed', () => {
  expect(trustQuestion('/work/a').detail).toMatch(/^\/work\/a\n\n.*run commands/s);
  expect(folderQuestion('/work/b').detail).toMatch(/^\/work\/b\n\n/);
  const host = { provider: 'openai', host: 'https://b.example', formerHost: 'https://a.example', keyVariable: 'A_KEY' };
  expect(hostQuestion(host).message).toContain('https://b.example');
  expect(hostQuestion(host).detail).toMatch(/"openai".*https:\/\/b\.example.*A_KEY.*Up to now.*https:\/\/a\.example/s);
  expect(hostQuestion({ provider: 'x', host: 'http://127.0.0.1:1' }).detail).not.toContain('the key');
  expect(packQuestion('a@b').detail).toMatch(/^a@b\n\n.*somebody else's code/s);
  expect(deleteRunQuestion({ number: 7, name: 'Tea' }).message).toBe('Delete run 7 of Tea?');
  expect(deliveryQuestion({ via: 'command', program: 'mail', args: ['-s', 'a "b"'] }).detail).toMatch(
    /^"mail" "-s" "a \\"b\\""\n\n/,
  );
  const request = {
    via: 'request',
    url: 'https://b.example/{{secret.A}}',
    headers: { X: '{{ secret.B_KEY }}' },
    body: '',
  };
  expect(deliveryQuestion({ ...request, via: 'request' }).detail).toMatch(
    /^https:\/\/b\.example.*with them A, B_KEY\./s,
  );
  expect(newKeyQuestion('A_KEY').message).toContain('A_KEY');
});

test.each([
  [undefined, /^Let Acme manage/, /^Version 1\.0\.0, signed/],
  ['newer', /^Let Acme manage/, /Updates the installed version 2\.0\.0/],
  ['same', /^Let Acme manage/, /Version 2\.0\.0 is installed already, with the same content/],
  ['changed', /^Let Acme manage/, /Version 2\.0\.0 is installed with other content/],
  [
    'older',
    /^Replace version 2\.0\.0 of Acme with the older version 1\.0\.0\?$/,
    /Goes back to version 1\.0\.0: .* 2\.0\.0/,
  ],
] as const)('warns about a team package that is %s than the installed one', (change, message, detail) => {
  const team = { team: 'Acme', version: '1.0.0', fingerprint: 'f', packs: [], providers: [], trustedWorkspaces: [] };
  const replaces = change === undefined ? {} : { replaces: { version: '2.0.0', change } };
  const question = teamQuestion({ ...team, ...replaces });
  expect([question.message, question.detail]).toEqual([expect.stringMatching(message), expect.stringMatching(detail)]);
});

test('the question about a team package lists everything it sets', () => {
  const team = {
    team: 'Acme',
    version: '1.0.0',
    fingerprint: 'f',
    packs: ['a@b 1.0.0'],
    providers: [],
    trustedWorkspaces: [],
  };
  const settings = [
    { name: 'Default model', value: 'acme::small' },
    { name: 'Effects of scripts', value: 'command: allow' },
    { name: 'Updates', value: 'beta, from https://u.example\nhidden' },
  ];
  const { detail } = teamQuestion({ ...team, settings });
  expect(detail).toContain(
    'Default model: acme::small\nEffects of scripts: command: allow\nUpdates: beta, from https://u.example\\u{a}hidden\n\nAllow it',
  );
});

test('lists the processes left by a run before they are ended', () => {
  const one = leftProcessesQuestion([{ pid: 7, command: 'npm start' }]);
  expect([one.message, one.detail]).toEqual([
    'End the process that this run left running?',
    expect.stringMatching(/^7: npm start\n\nCommands of the run started it/),
  ]);
  const many = leftProcessesQuestion(Array.from({ length: 12 }, (_, pid) => ({ pid, command: 'a\nb' })));
  expect([many.message, many.detail]).toEqual([
    'End 12 processes that this run left running?',
    expect.stringMatching(/^0: a\\u\{a\}b\n.*\nand 2 more\n\n/s),
  ]);
});

test('a name cannot imitate the text of the question', () => {
  const { detail } = folderQuestion('/a\nAll is well.\r\u202e\u2028\u0000\u{e0041}');
  expect(detail.split('\n')[0]).toMatch(/^\/a\\u\{a\}All is well\.\\u\{d\}\\u\{202e\}\\u\{2028\}\\u\{0\}\\u\{e0041\}$/);
  expect(folderQuestion(`/${'x'.repeat(5000)}`).detail).toMatch(/^\/x{499}… \(4501 more\)\n/);
});
