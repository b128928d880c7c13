/** Compares the list of deciding places with the names that loaders have in the source. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { foldName, matchPlace, patternsIn } from '../runtime/governance/deciding-places.ts';

/**
 * Names in the source that are not deciding places by themselves, and why. A loader of a new place belongs on the list
 * instead.
 */
const others: Readonly<Record<string, string>> = {
  'pack.toml': 'in packs, which decide as a whole',
  'README.md': 'shown or written for people',
  'prompt.md': 'of the assistant, in the program',
  'tools.yaml': 'of the assistant, in the program',
  'about.yaml': 'in the gallery of the program',
  '${ref}/README.md': 'shown',
  inputs: 'never a file',
  '${productsFolder}/${product}/policy.yaml': 'on the list as products/*/policy.yaml',
  "{productsFolder}/{name ?? ''}": 'the folder of a product; its files are on the list',
  '{productsFolder}/{name}': 'the folder of a product; its files are on the list',
  '.aipack/{...below}': 'data of packs',
  '.aipack/.session/{sessionId}/tmp': 'temporary files of scripts',
  'product.yaml': 'reported as unused',
  '${path}/config/product.yaml': 'reported as unused',
  '${file}.lock': 'in millrace/ of the base folder',
  '${hashOf(real)}.json': 'in millrace/ of the base folder',
  'mcp-tools.json': 'in millrace/ of the base folder',
  'private-hosts.json': 'in millrace/ of the base folder',
  'key-hosts.json': 'in millrace/ of the base folder',
  'trusted.json': 'in millrace/ of the base folder',
  'triggers.json': 'in millrace/ of the base folder',
  'undo.json': 'in millrace/ of the base folder',
  'secrets.json': 'in millrace/ of the base folder',
  'published.json': 'in millrace/ of the base folder',
  'api-keys.json': 'in millrace/ of the base folder',
  'retention.json': 'in millrace/ of the base folder',
  '/f/:name/form.json': 'an address of the service',
  '/flows/:name/openapi.json': 'an address of the service',
  'builtin-packs.json': 'in millrace/ of the base folder',
  'team-packs.json': 'in millrace/ of the base folder',
  'team.yaml': 'in millrace/ of the base folder, or in a package',
  '/etc/millrace/team.yaml': 'found through the team, wherever it is',
  'etc/millrace/team.yaml': 'in a package',
  'contents.json': 'in a package',
  'signature.json': 'in a package',
  '${folder}/latest.toml': 'on a server',
  '${id}.json': 'in .millrace/proposals, which no run writes',
  '${name}.json': 'in an exported run',
  'input/input.json': 'in an exported run',
  'output/response.json': 'in an exported run',
  '.test.yaml': 'expectations, which decide nothing that runs may do',
  '${base}.test.yaml': 'expectations, which decide nothing that runs may do',
  'answer.schema.json': 'an example in a message',
  'docs/notes.md': 'an example in a prompt',
  '<stem>.md': 'in documentation',
};

const engine = path.resolve(import.meta.dirname, '..');
/** Strings that look like the name of a file that a program reads as settings, rules or code. */
const fileName = /['"`]([^'"`\s]*\.(?:ya?ml|toml|json|lock|md|aip|m?js|lua|env))['"`]/g;
/** Paths below the workspace or the base folder. */
const joined = /\bjoin\(\s*[\w.#]*(?:workspace|base|baseFolder)\b\s*,([^;]*?)\)/g;

function namesIn(source: string): readonly string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\b(?:from|import|createRequire[^(]*)\s*\(?'[^']*'/g, '');
  const joins = [...code.matchAll(joined)].map(([, args = '']) =>
    args
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => /^'(.*)'$/.exec(part)?.[1] ?? `{${part}}`)
      .join('/'),
  );
  return [...new Set([...[...code.matchAll(fileName)].map(([, name = '']) => name), ...joins])];
}

/** Agents, modules and flows are ordinary files, and so are names of only an extension or a variable. */
const ordinary = /^(?:.*\.(?:aip|m?js|lua|flow\.ya?ml)|\.\w+|\{[^/]*\})$/;
/** The program's own folders, to which no run writes. */
const closed = /^\.?millrace(?:\/|$)/;

/** Whether a name, or every name with this ending, is a deciding place. */
function decides(name: string): boolean {
  const names = name
    .replace(/\$\{[^}]*\}|\{\w+\}/g, 'x')
    .split('/')
    .map(foldName);
  return (['workspace', 'base'] as const).some((root) =>
    patternsIn(root).some(({ segments }) => {
      const last = segments.at(-1) ?? '';
      const isLast = names.length === 1 && (last === names[0] || (last !== '*' && last.replace(/^\*/, '') === name));
      return isLast || matchPlace(segments, names) !== undefined;
    }),
  );
}

test('13.1 every file name used by a loader is listed as a deciding place or as an exception', () => {
  const files = readdirSync(engine, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|d)\.ts$|(?:^|\/)(?:testing\/|test-)/.test(file))
    .filter((file) => file !== 'runtime/governance/deciding-places.ts');
  const isElsewhere = (name: string): boolean => ordinary.test(name) || closed.test(name) || decides(name);
  const found = files.flatMap((file) => namesIn(readFileSync(path.join(engine, file), 'utf8')));
  expect([...new Set(found)].filter((name) => !isElsewhere(name)).sort()).toEqual(Object.keys(others).sort());
});

test.each([
  ['a file of the workspace', `readFile(join(workspace, 'hooks.yaml'))`, 'hooks.yaml'],
  ['a folder of the base folder', `readdir(join(options.baseFolder, 'plugins'))`, 'plugins'],
  ['a name that is kept', `const name = '.agentrc.json';`, '.agentrc.json'],
])('13.1 detects a new loader of %s', (_, source, name) => {
  expect(namesIn(source).filter((one) => !decides(one))).toEqual([name]);
});
