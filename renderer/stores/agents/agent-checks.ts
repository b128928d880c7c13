/**
 * Checks the Lua scripts of open agents after a pause in typing, and adds the problems to those of the parser.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';

/** Milliseconds without a change before the engine is called. */
const pauseMs = 300;

/** Checks the scripts of each agent that the parser has read. Returns a function that stops it. */
export function followAgentChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By path: the text that was checked or is being checked. */
  const asked = new Map<string, string>();

  const check = async (path: string, text: string): Promise<void> => {
    // Without an engine nothing is checked. The file is read again when a new engine is available.
    const found = await engine.call('checkAgent', text).catch(() => null);
    const { files, typedLines, takeCheck } = openFiles.getState();
    const file = files.get(path);
    if (found === null || file?.text !== text || file.isCheckStale) return;
    const diagnostics = [...typedLines.all(path, file.diagnostics), ...found];
    if (found.length > 0) takeCheck(path, text, { ...file, diagnostics });
  };

  const plan = ({ path, text }: OpenFile): void => {
    if (asked.get(path) === text) return;
    asked.set(path, text);
    clearTimeout(timers.get(path));
    timers.set(
      path,
      setTimeout(() => void check(path, text), pauseMs),
    );
  };

  const planFor = (file: OpenFile): void => {
    if (file.kind !== 'agent' || file.status !== 'ready') return;
    // The parser's check replaces all known problems, so the scripts are checked again after it.
    if (file.isCheckStale) asked.delete(file.path);
    else plan(file);
  };

  const end = openFiles.subscribe(({ files }, former) => {
    if (files === former.files) return;
    for (const path of asked.keys()) if (!files.has(path)) asked.delete(path);
    for (const file of files.values()) if (file !== former.files.get(file.path)) planFor(file);
  });
  return () => {
    end();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
