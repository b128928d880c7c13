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

// biome-ignore lint/suspicious/noSkippedTests: reports why it cannot run here
test.skip(executable === undefined, 'There is no Chromium. On Debian, install it with: apt-get install chromium');

let folder: string;
let home: string;
let origin: string;
let browser: Browser;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'millrace-form-')));
  home = await mkdtemp(path.join(tmpdir(), 'millrace-form-home-'));
  await writeFile(path.join(folder, 'refund-mail.flow.yaml'), flow);
  const where = { folder, home };
  const published = await millraceAt(
    ['publish', 'refund-mail.flow.yaml', '--page', 'anyone', '--yes', '--trust'],
    where,
  );
  expect(published.code, published.errors.join('\n')).toBe(0);
  const args = [cli, 'serve', '--workspace', folder, '--trust', '--port', '0'];
  const service = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, MILLRACE_HOME: home } });
  origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    service.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const [, address] = /Listening on (http:\S+?)[.,]?\s/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    service.once('exit', () => reject(new Error(said)));
  });
  stop = async () => {
    const ended = new Promise((resolve) => service.once('close', resolve));
    service.kill('SIGINT');
    await ended;
  };
  browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] });
});
test.afterAll(async () => {
  await browser?.close();
  await stop?.();
  for (const one of [folder, home]) await rm(one, { recursive: true, force: true });
});

async function openPage(width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, locale: 'en-US' });
  page.on('dialog', () => {
    throw new Error('A script of the flow has run.');
  });
  await page.goto(`${origin}/f/refund-mail`);
  await expect(page.getByRole('heading', { name: 'Answer refund emails' })).toBeVisible();
  return page;
}

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const)
  test(`a form is filled in, runs, asks and shows its outputs at ${width}x${height}`, async () => {
    const page = await openPage(width, height);
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
