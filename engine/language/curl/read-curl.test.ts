import { describe, expect, test } from 'vitest';
import { isCurl, readCurl, withSecretNames } from './read-curl.ts';

function read(text: string) {
  const found = readCurl(text);
  if (found === null) throw new Error('No curl command');
  return found;
}

function input(text: string) {
  return read(text).input;
}

const token = 'sk-0123456789abcdef';

describe('the request of a command', () => {
  test.each([
    ['curl https://a.example/x', { url: 'https://a.example/x', method: 'GET' }],
    ['$ curl a.example', { url: 'http://a.example', method: 'GET' }],
    [
      'curl.exe -s -S -L --compressed "https://a.example/?a=1&b=2"',
      { url: 'https://a.example/?a=1&b=2', method: 'GET' },
    ],
    ['curl -sSLX DELETE https://a.example/1', { url: 'https://a.example/1', method: 'DELETE' }],
    ['curl --request=put --url https://a.example', { url: 'https://a.example', method: 'PUT' }],
    ['curl -I https://a.example', { url: 'https://a.example', method: 'HEAD' }],
    [
      `curl -d a=1 -d 'b=2 3' https://a.example`,
      {
        url: 'https://a.example',
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'a=1&b=2 3',
      },
    ],
    [
      'curl -G https://a.example/s?x=1 --data-urlencode "q=two words & more" -d plain=1',
      { url: 'https://a.example/s?x=1&q=two%20words%20%26%20more&plain=1', method: 'GET' },
    ],
    [
      `curl https://a.example --json '{"a":[1,{"b":"c"}]}'`,
      {
        url: 'https://a.example',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: { a: [1, { b: 'c' }] },
      },
    ],
    [
      `curl -XPATCH https://a.example -H'content-type: application/json' --data-raw '{"n": 12345678901234567890}'`,
      {
        url: 'https://a.example',
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"n": 12345678901234567890}',
      },
    ],
    [
      `curl https://a.example -A me -e https://b.example -H 'X-Empty;' -H 'Accept:' -H 'X-A: 1' -H 'x-a: 2'`,
      {
        url: 'https://a.example',
        method: 'GET',
        headers: { 'User-Agent': 'me', Referer: 'https://b.example', 'X-Empty': '', 'X-A': '1, 2' },
      },
    ],
    ['curl https://a.example/{{id}}', { url: 'https://a.example/\\{{id}}', method: 'GET' }],
  ])('%s', (text, wanted) => {
    const found = read(text);
    expect(found.input).toEqual(wanted);
    expect(found.secrets).toEqual([]);
  });

  test.each([
    '',
    'echo curl',
    'curly https://a.example',
    'nodes:\n  - id: curl',
    'curl',
    'curl --help',
    'https://a.example',
  ])('rejects %j as a command', (text) => {
    expect(readCurl(text)).toBeNull();
  });

  test('rejects a long text without reading it', () => {
    expect(isCurl(`curl https://a.example ${'x'.repeat(2_000_000)}`)).toBe(false);
  });
});

describe('quotes of shells', () => {
  const wanted = {
    url: 'https://a.example/p?q=1',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-note': `it's "so"` },
    body: { text: 'two\nlines & 100%', path: 'C:\\x' },
  };

  test.each([
    [
      'bash',
      `curl 'https://a.example/p?q=1' \\\n  -H 'content-type: application/json' \\\n  -H 'x-note: it'\\''s "so"' \\\n  --data-raw $'{"text":"two\\\\nlines & 100\\u0025","path":"C:\\\\\\\\x"}' \\\n  --compressed`,
    ],
    [
      'bash with double quotes',
      `curl "https://a.example/p?q=1" -H "content-type: application/json" -H "x-note: it's \\"so\\"" -d "{\\"text\\":\\"two\\\\nlines & 100%\\",\\"path\\":\\"C:\\\\\\\\x\\"}"`,
    ],
    [
      'the command prompt',
      'curl ^"https://a.example/p?q=1^" ^\r\n  -H ^"content-type: application/json^" ^\r\n  -H ^"x-note: it\'s ^\\^"so^\\^"^" ^\r\n  --data-raw ^"^{^\\^"text^\\^":^\\^"two^\\nlines ^& 100^%^\\^",^\\^"path^\\^":^\\^"C:^\\^\\x^\\^"^}^"',
    ],
    [
      'the command prompt, as it was written before',
      'curl "https://a.example/p?q=1" ^\n  -H "content-type: application/json" ^\n  -H "x-note: it\'s \\"so\\"" ^\n  --data-raw "{\\"text\\":\\"two\\nlines & 100%\\",\\"path\\":\\"C:\\\\x\\"}" ^\n  --compressed',
    ],
    [
      'PowerShell',
      'curl.exe "https://a.example/p?q=1" `\n  -H "content-type: application/json" `\n  -H "x-note: it\'s `"so`"" `\n  --data-raw \'{"text":"two\\nlines & 100%","path":"C:\\\\x"}\'',
    ],
  ])('%s', (_, text) => {
    expect(input(text)).toEqual(wanted);
  });

  test('a caret and an empty line between lines of the command prompt are one line break', () => {
    expect(
      input('curl ^"https://a.example^" ^\n  --data-raw ^"one^\n\ntwo^" ^\n  -H ^"content-type: text/plain^"')['body'],
    ).toBe('one\ntwo');
  });

  test('an unclosed quote ends with the text', () => {
    for (const quote of [`'`, `"`, `$'`, '^"', '"$(', '${', '"`', '\\']) {
      expect(readCurl(`curl https://a.example -d ${quote}abc`), quote).not.toBeNull();
    }
  });
});

describe('secrets', () => {
  test.each([
    [
      `curl https://api.acme.com/v1 -H 'Authorization: Bearer ${token}'`,
      'ACME_TOKEN',
      'Bearer {{secret.ACME_TOKEN}}',
      token,
    ],
    [`curl https://api.acme.co.uk -H "authorization: ${token}"`, 'ACME_TOKEN', '{{secret.ACME_TOKEN}}', token],
    [`curl https://acme.com -H "x-api-key: ${token}"`, 'ACME_API_KEY', '{{secret.ACME_API_KEY}}', token],
    [`curl https://acme.com -u ada:lovelace`, 'ACME_LOGIN', 'Basic {{secret.ACME_LOGIN}}', 'YWRhOmxvdmVsYWNl'],
    [`curl https://ada:love%20lace@acme.com/x`, 'ACME_LOGIN', 'Basic {{secret.ACME_LOGIN}}', 'YWRhOmxvdmUgbGFjZQ=='],
    [`curl https://acme.com --oauth2-bearer ${token}`, 'ACME_TOKEN', 'Bearer {{secret.ACME_TOKEN}}', token],
    [`curl http://127.0.0.1:8080/ -b 'sid=${token}; a=b'`, 'API_COOKIE', '{{secret.API_COOKIE}}', `sid=${token}; a=b`],
    [
      `curl http://localhost -H 'PRIVATE-TOKEN: ${token}'`,
      'LOCALHOST_PRIVATE_TOKEN',
      '{{secret.LOCALHOST_PRIVATE_TOKEN}}',
      token,
    ],
    [`curl "https://acme.com?api_key=${token}&q=1"`, 'ACME_API_KEY', 'api_key={{secret.ACME_API_KEY}}&q=1', token],
    [`curl "https://acme.com?key=a%2Bb%20c%2Fdefgh"`, 'ACME_API_KEY', 'key={{secret.ACME_API_KEY}}', 'a+b c/defgh'],
    [
      `curl -G https://acme.com -d access_token=${token}`,
      'ACME_ACCESS_TOKEN',
      'access_token={{secret.ACME_ACCESS_TOKEN}}',
      token,
    ],
    [
      `curl https://acme.com -d client_secret=${token} -d a=1`,
      'ACME_CLIENT_SECRET',
      'client_secret={{secret.ACME_CLIENT_SECRET}}&a=1',
      token,
    ],
    [
      `curl https://acme.com --json '{"user":"a","password":"${token}"}'`,
      'ACME_PASSWORD',
      '{{secret.ACME_PASSWORD}}',
      token,
    ],
    [`curl https://acme.com -H 'accessToken: ${token}'`, 'ACME_ACCESS_TOKEN', '{{secret.ACME_ACCESS_TOKEN}}', token],
  ])('%s', (text, name, shown, value) => {
    const found = read(text);
    expect(found.secrets).toMatchObject([{ name, value }]);
    const written = JSON.stringify(found.input);
    expect(written).toContain(shown);
    for (const part of [value, encodeURIComponent(value), token, 'lovelace', 'love%20lace'])
      expect(written).not.toContain(part);
    expect(found.notes.join()).not.toContain(token);
  });

  test('a value in several places is one secret, and is written in none of them', () => {
    const found = read(
      `curl https://acme.com/${token}/x -H 'Authorization: Bearer ${token}' -H 'x-other: a ${token}' -d token=${token}`,
    );
    expect(found.secrets).toHaveLength(1);
    expect(JSON.stringify(found.input)).not.toContain(token);
    expect(found.input['url']).toBe('https://acme.com/{{secret.ACME_TOKEN}}/x');
  });

  test('shell variables are secrets without a value in the command', () => {
    const bash = read(
      'curl https://api.acme.com -H "Authorization: Bearer $ACME_KEY" -d "id=$BRACED&again=$ACME_KEY"'.replace(
        'BRACED',
        '{user_id}',
      ),
    );
    expect(bash.secrets.map(({ name, value }) => [name, value])).toEqual([
      ['ACME_KEY', null],
      ['USER_ID', null],
    ]);
    expect(bash.input).toMatchObject({
      headers: { Authorization: 'Bearer {{secret.ACME_KEY}}' },
      body: 'id={{secret.USER_ID}}&again={{secret.ACME_KEY}}',
    });
    expect(read(`curl https://acme.com -H 'X: $NOT'`).secrets).toEqual([]);
    expect(read('curl ^"https://acme.com^" -H ^"Authorization: Bearer %KEY%^"').secrets).toMatchObject([
      { name: 'KEY' },
    ]);
    expect(read('curl.exe https://acme.com `\n -H "Authorization: $env:KEY"').secrets).toMatchObject([{ name: 'KEY' }]);
  });

  test.each(['<token>', 'YOUR_API_KEY', 'your-token-here', '...', 'xxxx'])('"%s" is a placeholder', (standIn) => {
    const [secret] = read(`curl https://acme.com -H 'Authorization: Bearer ${standIn}'`).secrets;
    expect(secret).toMatchObject({ name: 'ACME_TOKEN', value: null });
  });

  test('a changed name is written everywhere it is used, and nowhere else', () => {
    const { input: before } = read(`curl 'https://acme.com/{{secret.ACME_TOKEN}}' -H 'Authorization: Bearer ${token}'`);
    expect(withSecretNames(before, new Map([['ACME_TOKEN', 'MINE']]))).toEqual({
      url: 'https://acme.com/\\{{secret.ACME_TOKEN}}',
      method: 'GET',
      headers: { Authorization: 'Bearer {{secret.MINE}}' },
    });
  });
});

describe('a form', () => {
  const formOf = (options: string) => read(`curl https://acme.com/up ${options}`).input;

  test.each([
    ['-F name=Ada', { name: 'Ada' }],
    ['-F name=Ada -F name=Bob -F name=Cleo', { name: ['Ada', 'Bob', 'Cleo'] }],
    ['-F "photo=@./pics/a b.png"', { photo: { file: 'pics/a b.png' } }],
    [
      '-F \'photo=@a.png;type=image/png;filename="mine.png"\'',
      { photo: { file: 'a.png', mediaType: 'image/png', fileName: 'mine.png' } },
    ],
    ['-F \'data={"a": 1};type=application/json\'', { data: '{"a": 1}' }],
    ['--form-string at=@home', { at: '@home' }],
    ['-F equation=a=b', { equation: 'a=b' }],
    ["-F 'brace={{x}}'", { brace: '\\{{x}}' }],
  ])('%s', (options, form) => {
    expect(formOf(options)).toEqual({ url: 'https://acme.com/up', method: 'POST', form });
  });

  test('its keys are secrets, and it sets its own content type', () => {
    const { input, secrets } = read(
      "curl https://acme.com -X PUT -H 'Content-Type: multipart/form-data' -F api_key=abc123456789 -F a=1",
    );
    expect(input).toEqual({
      url: 'https://acme.com',
      method: 'PUT',
      form: { api_key: '{{secret.ACME_API_KEY}}', a: '1' },
    });
    expect(secrets.map(({ value }) => value)).toEqual(['abc123456789']);
  });
});

describe('ignored parts are reported', () => {
  test.each([
    ['-k', 'Certificates are always checked'],
    ['-F file=@a.png', 'a.png, which must be in the workspace'],
    ['-F "text=<a.txt"', 'The part text of the form'],
    ['-F "two=@a.png,b.png"', 'The part two of the form'],
    ['-G -X GET -F a=1', 'has no form'],
    ['-d @body.json', 'body.json'],
    ['--data-urlencode text@body.txt', 'body.txt'],
    ['-T up.bin', '--upload-file'],
    ['-o out.json', 'Write file'],
    ['--max-time 5', 'Policy'],
    ['-b cookies.txt', 'cookies.txt'],
    ['--aws-sigv4 aws:amz', '--aws-sigv4'],
    ['-x http://proxy:80', '--proxy'],
    ['--never-heard-of-it', '--never-heard-of-it'],
    ['-H @headers.txt', 'headers.txt'],
    ['-H "Host: b.example" -H "Accept-Encoding: gzip"', 'Host, Accept-Encoding'],
    ['-X PURGE', 'PURGE'],
    ['-X GET -d a=1', 'has no body'],
    ['| jq .', 'after the command'],
    ['https://b.example', 'first of 2'],
    ['-d "$(cat x)"', 'nested command'],
    ['--next https://b.example', '--next'],
    ['-u ada', 'password'],
    ['-f', 'Any status counts as a response'],
  ])('%s', (option, words) => {
    expect(read(`curl https://a.example ${option}`).notes.join(' ')).toContain(words);
  });

  test('parts without effect are not', () => {
    expect(read('curl -sSLvi --compressed --http2 https://a.example').notes).toEqual([]);
  });
});
