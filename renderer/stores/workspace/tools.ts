/**
 * The tools of the workspace: what each is, who uses it, and trying one.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type JsonMap, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient, MainResult } from '../../bridge/main-client.ts';
import { setOfferedTools } from '../flow/node-types.ts';

/** A tool with who uses it, or a manifest that is none. */
export type ToolRow = EngineResult<'listTools'>[number];
/** What came of trying a tool; null = the person did not allow it. */
export type TriedTool = MainResult<'tools.try'>['result'];

export interface Tools {
  /** By name; null = they have not been read yet. */
  readonly rows: readonly ToolRow[] | null;
  /** Why they could not be read. */
  readonly error: string | null;
  refresh(): Promise<void>;
  /** Main asks the person before one acts outside. @throws EngineError */
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

/** Those whose words hold all of a query, whose names hold it first. */
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
