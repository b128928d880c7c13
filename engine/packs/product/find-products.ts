/**
 * Finds the products of a workspace: the folders in `products`, with their flows, agents and problems.
 */
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { Diagnostic, DiagnosticCode, TextRange } from '../../language/findings/diagnostic.ts';
import { productNameProblem, productsFolder } from '../../language/flow/product-path.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { countedFlows } from './counted-flows.ts';
import type { Product, ProductProblem } from './product.ts';
import { manifestName, type ProductManifest, parseProductManifest } from './product-manifest.ts';

/** Maximum number of folders in `products` that are read. */
const mostProducts = 1_000;
/** Maximum number of files of one kind that are read per product. */
const mostFiles = 2_000;
const mostManifestBytes = 1024 * 1024;

const start: TextRange = { line: 1, column: 1, endLine: 1, endColumn: 2 };

/**
 * Returns all products of a workspace by name. Unusable ones are included with the reason.
 * @param workspace absolute
 */
export async function findProducts(workspace: string): Promise<readonly Product[]> {
  const names = await namesIn(workspace);
  return await Promise.all(names.map((name) => readProduct(workspace, name, names)));
}

/** Returns a product by its exact name; undefined if it does not exist. */
export async function findProduct(workspace: string, name: string): Promise<Product | undefined> {
  const names = await namesIn(workspace);
  return names.includes(name) ? await readProduct(workspace, name, names) : undefined;
}

/**
 * Returns the flow files, except those that their product's manifest does not list.
 * @param files by their paths relative to the workspace with forward slashes
 */
export async function withoutUnlisted<File extends { readonly path: string }>(
  workspace: string,
  files: readonly File[],
): Promise<readonly File[]> {
  const unlisted = new Set((await findProducts(workspace)).flatMap((product) => product.unlisted));
  return files.filter(({ path }) => !unlisted.has(path));
}

async function namesIn(workspace: string): Promise<readonly string[]> {
  const entries = await entriesIn(join(workspace, productsFolder));
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  return folders.sort().slice(0, mostProducts);
}

/** Returns the entries of a folder that are not hidden; empty if it is unreadable. */
async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.filter(({ name }) => !name.startsWith('.'));
}

async function readProduct(workspace: string, name: string, names: readonly string[]): Promise<Product> {
  const path = `${productsFolder}/${name}`;
  const folder = join(workspace, productsFolder, name);
  const bare = { name, path, folder, flows: [], unlisted: [], agents: [] };
  const leadsOut = await outsideTest(workspace);
  const refused = folderProblem(name, names) ?? ((await leadsOut(folder)) ? linkedAway : undefined);
  if (refused !== undefined) {
    const refusal = { ...problemAt(...refused, start), path };
    return { ...bare, problems: [refusal], refusal };
  }
  const manifestPath = `${path}/${manifestName}`;
  const { manifest, diagnostics } = await readManifest(join(folder, manifestName), manifestPath, leadsOut);
  const misnamed = manifest === null ? undefined : nameProblem(name, manifest);
  const problems = [...diagnostics, ...(misnamed ?? [])].map((one) => ({ ...one, path: manifestPath }));
  const refusal = misnamed === undefined && manifest !== null ? undefined : problems.find(isError);
  if (manifest === null || refusal !== undefined)
    return { ...bare, problems, ...(refusal === undefined ? {} : { refusal }) };
  return await withFiles({ ...bare, problems }, manifest, leadsOut);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

async function withFiles(
  product: Omit<Product, 'flows' | 'unlisted' | 'agents'>,
  manifest: ProductManifest,
  leadsOut: (path: string) => Promise<boolean>,
): Promise<Product> {
  const { name, path, folder } = product;
  const [flowFiles, agentFiles, configs] = await Promise.all([
    filesIn(join(folder, 'flows'), leadsOut),
    filesIn(join(folder, 'agents'), leadsOut),
    filesIn(join(folder, 'config'), leadsOut),
  ]);
  const counted = countedFlows(flowFiles, manifest, path);
  const { title, description, version, exposedFlows } = manifest;
  const problems = [...product.problems, ...counted.problems, ...unusedConfig(configs, path)];
  return {
    ...product,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(exposedFlows === undefined ? {} : { exposedFlows }),
    ...(counted.defaultFlow === undefined ? {} : { defaultFlow: counted.defaultFlow }),
    flows: counted.flows,
    unlisted: counted.unlisted,
    agents: agentFiles.flatMap((file) => {
      const stem = /^(.+)\.(?:aip|mjs)$/.exec(file)?.[1];
      return stem === undefined ? [] : [{ name: `${name}.${stem}`, path: `${path}/agents/${file}` }];
    }),
    problems,
  };
}

/** Returns the sorted names of the files in a folder, except symbolic links that point outside the workspace. */
async function filesIn(folder: string, leadsOut: (path: string) => Promise<boolean>): Promise<readonly string[]> {
  if (await leadsOut(folder)) return [];
  const entries = (await entriesIn(folder)).slice(0, mostFiles);
  const isFile = async (entry: Dirent): Promise<boolean> =>
    entry.isFile() || (entry.isSymbolicLink() && !(await leadsOut(join(folder, entry.name))));
  const kept = await Promise.all(entries.map(async (entry) => ((await isFile(entry)) ? [entry.name] : [])));
  return kept.flat().sort();
}

/**
 * Returns a function that checks whether symbolic links lead a path outside the workspace. A path that does not exist
 * counts as inside.
 */
async function outsideTest(workspace: string): Promise<(path: string) => Promise<boolean>> {
  const real = await realpath(workspace).catch(() => workspace);
  return async (path) => {
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined) return (await lstat(path).catch(() => undefined)) !== undefined;
    return !target.startsWith(real.endsWith(sep) ? real : `${real}${sep}`);
  };
}

type ProductDiagnosticText = readonly [code: DiagnosticCode, message: string];

const linkedAway: ProductDiagnosticText = [
  'product.outside',
  'The folder is a link to a place outside the workspace. Copy the product into the products folder.',
];

function folderProblem(name: string, names: readonly string[]): ProductDiagnosticText | undefined {
  const bad = productNameProblem(name);
  if (bad !== undefined) return ['product.bad-name', `${bad} Rename the folder.`];
  const twin = names.find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  if (twin === undefined) return undefined;
  const message = `The name differs from the product ${twin} only in case. Rename one of the folders.`;
  return ['product.duplicate', message];
}

function nameProblem(folder: string, { name }: ProductManifest): readonly Diagnostic[] | undefined {
  if (name === undefined || name.value === folder) return undefined;
  const message = `The manifest has the name ${JSON.stringify(name.value)}, but the folder is named ${folder}. Use the same name for both.`;
  return [problemAt('product.bad-name', message, name.range)];
}

/** Reads the manifest of a product; a missing one counts as empty. */
async function readManifest(
  file: string,
  shownPath: string,
  leadsOut: (path: string) => Promise<boolean>,
): Promise<ReturnType<typeof parseProductManifest>> {
  const unreadable = (message: string) => ({
    manifest: null,
    diagnostics: [problemAt('product.unreadable', message, start)],
  });
  if ((await lstat(file).catch(() => undefined)) === undefined) return { manifest: {}, diagnostics: [] };
  if (await leadsOut(file))
    return unreadable('The manifest is a link to a file outside the folder. Copy the file here.');
  try {
    return parseProductManifest(await readTextFile(file, { maxBytes: mostManifestBytes, shownPath }));
  } catch (thrown) {
    return unreadable(toErrorRecord(thrown).message);
  }
}

/** Reports a settings file that other programs use but that has no effect here. */
function unusedConfig(configs: readonly string[], path: string): readonly ProductProblem[] {
  if (!configs.includes('product.yaml')) return [];
  const message = `The file has no effect here. Limits and permissions belong in ${path}/policy.yaml, values in the params of steps.`;
  const said = { code: 'product.unused-file', severity: 'info', message, range: start } as const;
  return [{ ...said, path: `${path}/config/product.yaml` }];
}

function problemAt(code: DiagnosticCode, message: string, range: TextRange): Diagnostic {
  return { code, severity: 'error', message, range };
}
