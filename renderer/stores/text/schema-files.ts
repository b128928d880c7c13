/**
 * The contents and problems of files used by open flows: schemas and called flows. Only the engine can read them.
 */
import type { StoreApi } from 'zustand/vanilla';
import {
  checkParsedFlow,
  type Diagnostic,
  isAgentType,
  isTypeProblem,
  noSchemaFiles,
  parseFlow,
  type SchemaFiles,
  schemaFilesOf,
} from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { nodeTypes } from '../flow/node-types.ts';
import type { OpenFile } from './file.ts';
import type { OpenFiles } from './files.ts';

const codesOfFiles: ReadonlySet<string> = new Set<Diagnostic['code']>([
  'node.bad-schema-file',
  'flow.not-callable',
  'flow.bad-inputs',
]);

/** Includes type problems, because the content of a file determines the types of values. */
function isOfSchemaFile(problem: Diagnostic): boolean {
  return codesOfFiles.has(problem.code) || isTypeProblem(problem);
}

/** Returns the problems of the files, each at the file's name in the text. */
function problemsIn(text: string, schemas: SchemaFiles): readonly Diagnostic[] {
  return checkParsedFlow(parseFlow(text), nodeTypes, schemas).diagnostics.filter(isOfSchemaFile);
}

function textOf(schemas: SchemaFiles): string {
  return JSON.stringify([...schemas]);
}

/** Keeps the contents of files used by open flows up to date with texts and files. Returns a function that stops it. */
export function followSchemaFiles(engine: EngineClient, openFiles: StoreApi<OpenFiles>): () => void {
  /** By path of the flow: the names in the last request. */
  const asked = new Map<string, string>();

  const show = ({ path, text, diagnostics, schemas, ...file }: OpenFile): void => {
    const { typedLines, takeCheck } = openFiles.getState();
    if (schemas.size === 0) return;
    const all = typedLines.all(path, diagnostics);
    const problems = problemsIn(text, schemas);
    if (JSON.stringify(all.filter(isOfSchemaFile)) === JSON.stringify(problems)) return;
    takeCheck(path, text, { ...file, diagnostics: [...all.filter((one) => !isOfSchemaFile(one)), ...problems] });
  };

  const ask = async (path: string, names: readonly string[]): Promise<void> => {
    asked.set(path, names.join('\n'));
    // Without an engine nothing is read. A new engine reads everything again.
    const found = await engine.call('readSchemas', { path, names }).catch(() => null);
    const file = openFiles.getState().files.get(path);
    if (found === null || file === undefined || asked.get(path) !== names.join('\n')) return;
    const schemas: SchemaFiles = new Map(found);
    if (textOf(schemas) !== textOf(file.schemas)) openFiles.getState().patch(path, { schemas });
  };

  const look = (file: OpenFile): void => {
    const { path, kind, status, doc, isCheckStale, isDocStale, schemas } = file;
    if (kind !== 'flow' || status !== 'ready' || doc === null || isCheckStale || isDocStale) return;
    // Agents are tracked in `workspace/agent-types.ts`, for all flows together.
    const names = schemaFilesOf(doc, nodeTypes).filter((name) => !isAgentType(name));
    if (names.length === 0) {
      asked.delete(path);
      if (schemas.size > 0) openFiles.getState().patch(path, { schemas: noSchemaFiles });
    } else if (asked.get(path) !== names.join('\n')) void ask(path, names);
    else show(file);
  };

  const lookAgain = (): void => {
    asked.clear();
    for (const file of openFiles.getState().files.values()) look(file);
  };

  const ends = [
    openFiles.subscribe(({ files }, former) => {
      if (files === former.files) return;
      for (const path of asked.keys()) if (!files.has(path)) asked.delete(path);
      for (const file of files.values()) if (file !== former.files.get(file.path)) look(file);
    }),
    engine.stream('watchFiles', lookAgain),
    engine.onConnected(lookAgain),
  ];
  return () => {
    for (const end of ends) end();
  };
}
