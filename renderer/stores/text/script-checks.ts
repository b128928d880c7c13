/**
 * Compiles the scripts of open flows in the engine after a pause in typing, and adds errors to the file's problems.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type Diagnostic, type NodeScript, scriptDiagnostics, scriptsOf } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { nodeTypes } from '../flow/node-types.ts';
import type { OpenFile } from './file.ts';
import type { OpenFiles } from './files.ts';

/** Milliseconds without a change before the engine is called. */
const pauseMs = 300;

type ScriptProblems = Awaited<ReturnType<typeof askOf>>;

function askOf(engine: EngineClient, scripts: readonly NodeScript[]) {
  return engine.call(
    'checkScripts',
    scripts.map(({ language, code }) => ({ language, code })),
  );
}

function isOfScript({ code }: Diagnostic): boolean {
  return code === 'node.script-syntax';
}

/** Checks the scripts of each open flow. Returns a function that stops it. */
export function followScriptChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By path of the flow: the scripts in the last request, and the result. */
  const known = new Map<string, { readonly asked: string; problems?: ScriptProblems }>();

  const show = (file: OpenFile, scripts: readonly NodeScript[], problems: ScriptProblems): void => {
    const { path, text, diagnostics, ...rest } = file;
    const { typedLines, takeCheck } = openFiles.getState();
    const all = typedLines.all(path, diagnostics);
    const found = scripts.flatMap((script, index) => {
      const problem = problems[index] ?? null;
      return problem === null ? [] : [{ script, ...problem }];
    });
    const wanted = scriptDiagnostics(text, found);
    if (JSON.stringify(all.filter(isOfScript)) === JSON.stringify(wanted)) return;
    takeCheck(path, text, { ...rest, diagnostics: [...all.filter((one) => !isOfScript(one)), ...wanted] });
  };

  const ask = async (path: string, scripts: readonly NodeScript[], asked: string): Promise<void> => {
    // Without an engine nothing is checked. A new engine checks everything again.
    const problems = await askOf(engine, scripts).catch(() => null);
    const file = openFiles.getState().files.get(path);
    if (problems === null || file === undefined || known.get(path)?.asked !== asked) return;
    known.set(path, { asked, problems });
    look(file);
  };

  const look = (file: OpenFile): void => {
    const { path, kind, status, doc, isCheckStale, isDocStale } = file;
    if (kind !== 'flow' || status !== 'ready' || doc === null || isCheckStale || isDocStale) return;
    const scripts = scriptsOf(doc, nodeTypes);
    if (scripts.length === 0) {
      known.delete(path);
      return;
    }
    const asked = JSON.stringify(scripts.map(({ language, code }) => [language, code]));
    const { problems, asked: former } = known.get(path) ?? {};
    if (former === asked) {
      if (problems !== undefined) show(file, scripts, problems);
      return;
    }
    known.set(path, { asked });
    clearTimeout(timers.get(path));
    timers.set(
      path,
      setTimeout(() => void ask(path, scripts, asked), former === undefined ? 0 : pauseMs),
    );
  };

  const lookAgain = (): void => {
    known.clear();
    for (const file of openFiles.getState().files.values()) look(file);
  };

  const ends = [
    openFiles.subscribe(({ files }, former) => {
      if (files === former.files) return;
      for (const path of known.keys()) if (!files.has(path)) known.delete(path);
      for (const file of files.values()) if (file !== former.files.get(file.path)) look(file);
    }),
    engine.onConnected(lookAgain),
  ];
  return () => {
    for (const end of ends) end();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
