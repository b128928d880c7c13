/**
 * The tools of the workspace: their details, their uses, and trying one.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type JsonMap, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient, MainResult } from '../../bridge/main-client.ts';
import { setOfferedTools } from '../flow/node-types.ts';

/** A tool with its uses, or an invalid manifest. */
export type ToolRow = EngineResult<'listTools'>[number];
/** The result of trying a tool. Null if the user did not allow it. */
export type TriedTool = MainResult<'tools.try'>['result'];

export interface Tools {
  /** The known tools. Null until they are loaded. */
  readonly rows: readonly ToolRow[] | null;
  /** Why they could not be loaded. */
  readonly error: string | null;
  refresh(): Promise<void>;
  /** Main asks the user before a tool has an external effect. @throws EngineError */
  tryTool(tool: string, params: JsonMap): Promise<TriedTool>;
}

export function createTools(engine: EngineClient, main: MainClient): StoreApi<Tools> {
  return createStore<Tools>()((set) => {
    return {
      rows: null,
      error: null,
      async refresh() {
        try {
          const rows = await engine.call('listTools');
          const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
          set({ rows: sorted, error: null });
          setOfferedTools(sorted.filter(({ problem }) => problem === undefined));
        } catch (thrown) {
          set({ error: toErrorRecord(thrown).message });
        }
      },
      tryTool: async (tool, params) => (await main.call('tools.try', { tool, params })).result,
    };
  });
}

/** Returns the tools that match all words of a query. Those with a match in their name come first. */
export function findTools(rows: readonly ToolRow[], query: string): readonly ToolRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const inName: ToolRow[] = [];
  const elsewhere: ToolRow[] = [];
  for (const row of rows) {
    const name = `${row.name} ${row.title ?? ''}`.toLowerCase();
    if (words.every((word) => name.includes(word))) inName.push(row);
    else {
      const text = `${name} ${row.description} ${row.kind} ${row.source}`.toLowerCase();
      if (words.every((word) => text.includes(word))) elsewhere.push(row);
    }
  }
  return [...inName, ...elsewhere];
}
