/**
 * A published flow's form page in the system's Chromium, served by the command line.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { millraceAt } from './command-line.ts';

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const cli = path.join(import.meta.dirname, '..', 'out', 'cli', 'cli.cjs');

const flow = `flow:
  name: Answer refund emails
  description: Drafts a reply to each email. A person reads every reply before it is sent.
  inputs:
    emails: { type: array, format: file, accept: .eml, required: true, description: Emails as files }
    language: { type: string, enum: [as in the email, English, Deutsch], default: as in the email }
    count: { type: integer, required: true }
    note_to_support: { type: string, description: Shown to the person who reads the replies }
  outputs:
    reply: "# Hello {{ask.values.name}}\\n\\n{{read.text}}\\n\\n[odd](javascript:alert(1)) <img src=x onerror=alert(1)>"
    orders: [{ order: A-1, total: 12.5 }, { order: A-2, total: 3 }]
nodes:
  - { id: read, name: Read the first email, type: file.read, input: { path: "{{flow.input.emails.0}}" } }
  - id: ask
    name: Ask for the name
    type: user_input
    input: { title: Who is it?, schema: { type: object, properties: { name: { type: string } }, required: [name] } }
  - { id: look_up_orders, type: echo, input: { text: x } }
edges: [{ from: read, to: ask }, { from: ask, to: look_up_orders }]
`;

/** Every text that a page shows contains HTML. */
const hostile = `flow:
  name: "<b>Orders</b><script>alert(1)</script>"
  description: "<img src=x onerror=alert(2)>"
  inputs:
    size: { type: string, required: true, enum: ["<i>small</i>", "</select><script>alert(3)</script>"], description: "<svg onload=alert(4)>" }
    note: { type: string, default: "</textarea><script>alert(5)</script>" }
  outputs:
    text: "<iframe src=javascript:alert(6)></iframe> {{flow.input.size}} {{ask.values.name}}"
    table: [{ "<u>column</u>": "<img src=x onerror=alert(7)>" }]
nodes:
  - id: ask
    name: "<marquee onstart=alert(8)>Ask</marquee>"
    type: user_input
    input:
      title: "<h1 onclick=alert(9)>Who</h1>"
      message: "<script>alert(10)</script>"
      schema: { type: object, properties: { name: { type: string, title: "<em>Name</em>", description: "<img src=x onerror=alert(11)>" } }, required: [name] }
edges: []
`;

// biome-ignore lint/suspicious/noSkippedTests: reports why it cannot run here
test.skip(executable === undefined, 'There is no Chromium. On Debian, install it with: apt-get install chromium');

let folder: string;
let home: string;
let origin: string;
let browser: Browser;
let stop: () => Promise<void>;

async function publish(file: string, text: string): Promise<void> {
  await writeFile(path.join(folder, file), text);
  const published = await millraceAt(['publish', file, '--page', 'anyone', '--yes', '--trust'], { folder, home });
  expect(published.code, published.errors.join('\n')).toBe(0);
}

/** Starts the service and returns its address. */
async function serve(port: string): Promise<string> {
  const args = [cli, 'serve', '--workspace', folder, '--trust', '--port', port];
  const service = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, MILLRACE_HOME: home } });
  stop = async () => {
    const ended = new Promise((resolve) => service.once('close', resolve));
    service.kill('SIGINT');
    await ended;
  };
  return await new Promise<string>((resolve, reject) => {
    let said = '';
    service.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const [, address] = /Listening on (http:\S+?)[.,]?\s/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    service.once('exit', () => reject(new Error(said)));
  });
}

test.beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'millrace-form-')));
  home = await mkdtemp(path.join(tmpdir(), 'millrace-form-home-'));
  await publish('refund-mail.flow.yaml', flow);
  await publish('hostile.flow.yaml', hostile);
  origin = await serve('0');
  browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] });
});
test.afterAll(async () => {
  await browser?.close();
  await stop?.();
  for (const one of [folder, home]) await rm(one, { recursive: true, force: true });
});

interface Opened {
  readonly name?: string;
  readonly locale?: string;
  readonly width?: number;
  readonly height?: number;
}

async function openPage({ name = 'refund-mail', locale = 'en-US', width = 1440, height = 900 }: Opened): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, locale });
  page.on('dialog', () => {
    throw new Error('A script of the flow has run.');
  });
  await page.goto(`${origin}/f/${name}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return page;
}

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const)
  test(`a form is filled in, runs, asks and shows its outputs at ${width}x${height}`, async () => {
    const page = await openPage({ width, height });
    await expect(page.getByRole('heading', { name: 'Answer refund emails' })).toBeVisible();
    await page.getByLabel('Count').fill('many');
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByRole('alert').filter({ hasText: '2 fields need your attention.' })).toBeVisible();
    await expectNoneInBothThemes(page, 'form with problems');
    const mail = { name: 'tobias-lamp-with-five-photos-of-the-broken-shade.eml', mimeType: 'message/rfc822' };
    await page.getByLabel('Emails').setInputFiles({ ...mail, buffer: Buffer.from('The lamp is broken.') });
    await expect(page.getByRole('button', { name: `Remove ${mail.name}` })).toBeVisible();
    await page.getByLabel('Count').fill('3');
    await page.getByLabel('Count').press('Control+Enter');
    await expect(page.getByRole('heading', { name: 'Your answer is needed' })).toBeFocused();
    await expect(page.getByText('1 of 3 steps')).toBeVisible();
    await expect(page).toHaveURL(/\/runs\/[\w-]+\?link=/);
    await expectNoneInBothThemes(page, 'waiting run');
    await page.reload();
    await page.getByLabel('name').fill('Tobias');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Hello Tobias' })).toBeVisible();
    await expect(page.getByText('The lamp is broken.')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'A-2' })).toBeVisible();
    expect(await page.locator('a, img, iframe').count()).toBe(0);
    await expectNoneInBothThemes(page, 'outputs');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect(page.getByRole('button', { name: `Remove ${mail.name}` })).toBeVisible();
    await page.close();
  });

/** Expects that the page shows each text, and that none of them is an element. */
async function expectOnlyText(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await expect(page.getByText(text, { exact: true }).first()).toBeAttached();
  const elements = 'main :is(script, img, iframe, marquee, b, i, u, em, a, [onload], [onclick])';
  expect(await page.locator(elements).count()).toBe(0);
}

test('HTML in the texts of a flow is shown as text on a German page', async () => {
  const page = await openPage({ name: 'gone', locale: 'de-DE', width: 390, height: 844 });
  await expect(page.getByRole('heading', { name: 'Kein Formular an dieser Adresse' })).toBeVisible();
  expect((await page.goto(`${origin}/f/hostile`))?.status()).toBe(200);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const title = '<b>Orders</b><script>alert(1)</script>';
  await expect(page).toHaveTitle(title);
  await expectOnlyText(page, [
    title,
    '<img src=x onerror=alert(2)>',
    '<svg onload=alert(4)>',
    '</select><script>alert(3)</script>',
    '</textarea><script>alert(5)</script>',
  ]);
  await page.getByRole('button', { name: 'Starten' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Ein Feld' })).toBeVisible();
  await page.getByLabel('Size').selectOption({ label: '</select><script>alert(3)</script>' });
  await page.getByRole('button', { name: 'Starten' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ihre Antwort wird gebraucht');
  await expectOnlyText(page, [
    '<h1 onclick=alert(9)>Who</h1>',
    '<script>alert(10)</script>',
    '<em>Name</em>',
    '<img src=x onerror=alert(11)>',
  ]);
  await expect(page.locator('main')).toContainText('<marquee onstart=alert(8)>Ask</marquee>');
  await page.getByLabel('<em>Name</em>').fill('<b>Ada</b>');
  await page.getByRole('button', { name: 'Antwort senden' }).click();
  await expect(page.getByRole('heading', { name: 'Fertig' })).toBeVisible();
  await expectOnlyText(page, ['<img src=x onerror=alert(7)>']);
  const shown = '<iframe src=javascript:alert(6)></iframe> </select><script>alert(3)</script> <b>Ada</b>';
  await expect(page.locator('.markdown-text')).toHaveText(shown);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.close();
});

test('a form is filled in by keyboard, and refuses a file that is too large', async () => {
  const page = await openPage({});
  const choose = async (file: { readonly name: string; readonly buffer: Buffer }): Promise<void> => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
    await chooser.setFiles({ ...file, mimeType: 'message/rfc822' });
  };
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Emails')).toBeFocused();
  await choose({ name: 'large.eml', buffer: Buffer.alloc(10_000_001) });
  await expect(page.getByRole('alert').filter({ hasText: 'large.eml is larger than 10.0 MB.' })).toBeVisible();
  await choose({ name: 'small.eml', buffer: Buffer.from('Where is my lamp?') });
  await expect(page.getByRole('button', { name: 'Remove small.eml' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Start' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your answer is needed' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Grace');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Done' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Hello Grace' })).toBeVisible();
  await page.close();
});

test('a page says that its connection is lost, and continues when the service is back', async () => {
  const page = await openPage({ name: 'hostile' });
  await page.getByLabel('Size').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: 'Your answer is needed' })).toBeVisible();
  await page.getByLabel('<em>Name</em>').fill('Ada');
  await stop();
  const lost = page.getByText('Connection lost. Trying again…');
  await expect(lost).toBeVisible();
  const notSent = page.getByRole('alert').filter({ hasText: 'the server cannot be reached' });
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(notSent).toBeVisible();
  await serve(new URL(origin).port);
  await expect(lost).toBeHidden();
  await expect(page.getByLabel('<em>Name</em>')).toHaveValue('Ada');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
  await page.close();
});
