/** Tests the very first start as users experience it: an example workspace that is ready to run. */
import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { millraceAt } from './command-line.ts';
import { answerQuestions } from './main-process.ts';
import { type Files, test } from './program.ts';
import { card, expectRun, inspector, openFlow } from './window.ts';

/** Returns the names of the cards and notes that are not completely within the canvas. */
function cardsOutsideView(page: Page): Promise<string[]> {
  return page
    .locator('.react-flow')
    .first()
    .evaluate((canvas) => {
      const frame = canvas.getBoundingClientRect();
      const isOutside = (card: Element): boolean => {
        const { left, top, right, bottom } = card.getBoundingClientRect();
        return left < frame.left || top < frame.top || right > frame.right || bottom > frame.bottom;
      };
      return [...canvas.querySelectorAll('.react-flow__node')]
        .filter(isOutside)
        .map(({ textContent }) => textContent ?? '');
    });
}

test('copies the examples to a trusted folder of the user; one click runs the first one, which streams, asks and saves', async ({
  program,
}) => {
  const { page } = await program.start();
  const outline = page.getByRole('tree', { name: 'Outline of the flow' });
  await expect(outline.getByRole('treeitem')).toHaveCount(6);
  await expect(
    page.getByRole('status').filter({ hasText: 'It writes out/welcome.md, and works offline.' }),
  ).toContainText('Millrace draws and runs flows');
  // Six nodes and a note.
  await expect(page.locator('.react-flow__node')).toHaveCount(7);
  expect(await cardsOutsideView(page)).toEqual([]);

  const examples = await realpath(path.join(program.folders.scratch, 'examples'));
  await expect(async () => {
    const trusted = await readFile(path.join(program.folders.home, 'millrace', 'trusted.json'), 'utf8');
    expect(JSON.parse(trusted)).toEqual({ version: 1, workspaces: [examples] });
  }).toPass();

  const run = page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first();
  await run.click({ modifiers: ['Shift'] });
  await expect(page.getByRole('dialog', { name: 'Run Welcome letter' })).toContainText('customer');
  await page.keyboard.press('Escape');
  await run.click();
  await expect(card(page, 'Long letter')).toContainText('Welcome to Tidepool');
  await expectRun(page, 'waiting for you');
  await page.getByRole('main').getByRole('button', { name: 'Review' }).first().click();
  const letter = inspector(page).getByRole('textbox', { name: /^letter/ });
  await expect(letter).toHaveValue(/^Dear Ada Okafor,/);
  await letter.fill('Dear Ada, welcome!');
  await inspector(page)
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expectRun(page, 'completed');
  expect(await readdir(path.join(examples, 'out'))).toEqual(['welcome.md']);
  await expect(page.getByText('It made out/welcome.md.')).toBeVisible();
  await page.getByRole('button', { name: 'Open out/welcome.md' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Dear Ada, welcome!');
});

test('shows the text of the flow next to the canvas', { tag: '@thorough' }, async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Release');
  await expect(card(page, 'Headline')).toBeVisible();
});

/** Starts a model provider that implements the OpenAI protocol and accepts one key. */
async function startProvider(key: string) {
  const asked: string[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method} ${url}`);
    if (headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"unknown key"}}');
    } else if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"object":"list","data":[{"id":"small","object":"model"}]}');
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const part = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'small' };
      const said = { index: 0, delta: { role: 'assistant', content: 'Good morning from Acme' }, finish_reason: null };
      const end = { index: 0, delta: {}, finish_reason: 'stop' };
      for (const choice of [said, end]) response.write(`data: ${JSON.stringify({ ...part, choices: [choice] })}\n\n`);
      response.end('data: [DONE]\n\n');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}/v1`, close: () => new Promise((resolve) => server.close(resolve)) };
}

function teamFiles(provider: string): Files {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    'team.key': privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'team.pub': publicKey.export({ type: 'spki', format: 'pem' }),
    'packs/tools/pack.toml': '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "1.0.0"\n',
    'packs/tools/main.aip': '# Instruction\n\nSay hello.\n',
    'examples/morning.flow.yaml':
      'flow: { name: Morning }\nnodes: [{ id: greet, type: prompt, input: { prompt: Say good morning } }]\nedges: []\n',
    'millrace.team.yaml': `version: 1
team: { name: Acme, version: "1.0.0" }
packs: { include: [packs/tools], allowed: [] }
models:
  providers:
    acme: { kind: openai-compatible, baseUrl: "${provider}", keyVariable: ACME_E2E_KEY, keyHelp: Ask the help desk for one }
  default: acme::small
  others: denied
examples: examples
`,
  };
}

test('a team package is installed from the settings after the user accepts its signer, and takes effect immediately', {
  tag: '@thorough',
}, async ({ program }) => {
  const folder = await program.makeWorkspace(teamFiles('https://llm.acme.example/v1'));
  const file = path.join(folder, 'millrace.team.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(', allowed: []', ''));
  const made = await millraceAt(['package', '--team', file, '--sign', 'team.key'], { folder, home: folder });
  expect(made).toMatchObject({ code: 0, errors: [] });
  const { app, page } = await program.start();
  await app.evaluate(
    ({ dialog }, zip) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [zip] });
    },
    path.join(folder, 'millrace-team-acme_1.0.0.zip'),
  );
  await expect(card(page, 'Check the letter')).toBeVisible();
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog');
  await settings.getByRole('tab', { name: 'Team' }).click();
  const install = settings.getByRole('button', { name: "Install a team's package…" });
  const refused = await answerQuestions(app, 'Cancel');
  await install.click();
  await expect(settings.getByRole('alert')).toHaveText('Nothing was changed: you did not allow it.');
  await expect(settings).toContainText('No team settings on this computer.');
  expect(await refused()).toEqual([
    expect.stringMatching(/Acme.*[0-9a-f]{64}.*acme@tools 1\.0\.0.*llm\.acme\.example/s),
  ]);
  await answerQuestions(app, 'Apply Settings');
  await install.click();
  await expect(settings).toContainText('Acme manages these settings');
  await settings.getByRole('tab', { name: 'Models' }).click();
  await expect(settings.getByRole('listitem', { name: 'acme' })).toContainText('Set by Acme (');
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Side panel' }).getByRole('button', { name: 'Packs' }).click();
  const packs = page.getByRole('complementary', { name: 'Packs' });
  await expect(packs.getByRole('button', { name: /^acme@tools/ })).toBeVisible();
});

test('a team package provides packs and examples, its key is requested in place, and the flow runs', async ({
  program,
}) => {
  const key = 'acme-e2e-0123456789';
  const provider = await startProvider(key);
  const folder = await program.makeWorkspace(teamFiles(provider.url));
  const where = { folder, home: program.folders.home };
  const refused = await millraceAt(['package', '--team', 'millrace.team.yaml', '--sign', 'team.key'], where);
  // A team package must satisfy its own list of allowed packs.
  expect(refused).toMatchObject({ code: 4 });
  const [, sha256] =
    /"sha256":"([0-9a-f]{64})"/.exec((await millraceAt(['pack', 'packs/tools', '-o', 'out', '--json'], where)).out) ??
    [];
  const file = path.join(folder, 'millrace.team.yaml');
  const allowed = `allowed: [{ pack: acme@tools, sha256: "${sha256}" }]`;
  await writeFile(file, (await readFile(file, 'utf8')).replace('allowed: []', allowed));
  const made = await millraceAt(['package', '--team', 'millrace.team.yaml', '--sign', 'team.key'], where);
  expect(made).toMatchObject({ code: 0, errors: [] });
  const install = ['team', 'install', 'millrace-team-acme_1.0.0.zip', '--key', 'team.pub', '--yes'];
  expect(await millraceAt(install, where)).toMatchObject({ code: 0 });

  let steps = 0;
  const { page } = await program.start();
  const form = inspector(page);
  await test.step('1: select the node, which shows what is missing', async () => {
    steps++;
    await card(page, 'greet').click();
    await expect(form).toContainText('Ask the help desk for one');
  });
  await test.step('2 and 3: enter the key', async () => {
    steps++;
    await form.getByLabel('acme needs a key').fill(key);
    steps++;
    await form.getByRole('button', { name: 'Save key' }).click();
    await expect(form.getByLabel('acme needs a key')).toBeHidden();
  });
  await test.step('4: run', async () => {
    steps++;
    await page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first().click();
    await expectRun(page, 'completed');
  });
  expect(steps).toBe(4);
  await expect(page.getByText('Good morning from Acme').first()).toBeVisible();
  expect(provider.asked).toContain('POST /v1/chat/completions');

  await page.getByRole('navigation', { name: 'Side panel' }).getByRole('button', { name: 'Packs' }).click();
  const packs = page.getByRole('complementary', { name: 'Packs' });
  await expect(packs.getByRole('button', { name: /^acme@tools/ })).toBeVisible();
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem', { name: 'acme' })).toContainText('Set by Acme (');
  await expect(dialog.getByRole('button', { name: 'Add a provider' })).toHaveCount(0);
  await dialog.getByRole('tab', { name: 'Team' }).click();
  await expect(dialog).toContainText('Allowed packs');
  await expectNoSeriousProblem(page, 'what a team sets');
  await provider.close();
});
