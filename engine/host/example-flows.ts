/**
 * Flows that come with the program, to begin with.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { findByGlobs } from '../files/glob-files.ts';
import type { FlowDoc } from '../flowspec/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';
import type { ExampleFlow } from './file-parts.ts';

const ending = '.flow.yaml';
/** The scripted model's name is followed by the file with its answers. */
const scripted = 'scripted::';

/** An example's text, and the files that it works on, relative to the workspace with `/`. */
export interface ExampleText {
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
}

/**
 * The examples of a folder, by their titles.
 * @param folder absolute
 * @throws the system's error
 */
export async function listExampleFlows(folder: string): Promise<readonly ExampleFlow[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const examples = await Promise.all(
    names.map(async (name): Promise<ExampleFlow> => {
      const { doc } = parseFlow(await readFile(join(folder, name), 'utf8'));
      const id = name.slice(0, -ending.length);
      return { id, title: doc?.flow.name ?? id, description: doc?.flow.description ?? '' };
    }),
  );
  return examples.sort((left, right) => (left.title < right.title ? -1 : 1));
}

/** @param folder absolute; undefined = there are no examples @throws EngineError `example.not-found` */
export async function readExample(folder: string | undefined, id: string): Promise<ExampleText> {
  const known = folder === undefined ? [] : await listExampleFlows(folder);
  if (folder === undefined || !known.some((example) => example.id === id)) {
    throw new EngineError({
      code: 'example.not-found',
      message: `There is no example ${JSON.stringify(id)}. Choose one of: ${known.map((one) => one.id).join(', ') || 'none'}.`,
    });
  }
  const text = await readFile(join(folder, `${id}${ending}`), 'utf8');
  const { doc } = parseFlow(text);
  return { text, files: doc === null ? [] : await filesOf(doc, folder) };
}

/** What a flow names that lies beside it: every text of it that is a path or a glob which leads to files. */
async function filesOf({ flow, nodes }: FlowDoc, folder: string): Promise<ExampleText['files']> {
  const texts = [flow.input ?? {}, ...nodes.flatMap(({ input, config = {} }): JsonMap[] => [input, config])].flatMap(
    textsIn,
  );
  const paths = texts
    .map((text) => (text.startsWith(scripted) ? text.slice(scripted.length) : text))
    .filter((text) => /^[\w*-][\w./*-]*\.\w+$/.test(text) && !text.includes('..'));
  const found = await findByGlobs(folder, paths, new AbortController().signal);
  return await Promise.all(
    found.map(async ({ shown, real }) => ({ path: shown, content: new Uint8Array(await readFile(real)) })),
  );
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(textsIn) : [];
}
