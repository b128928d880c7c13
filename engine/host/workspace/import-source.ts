/**
 * Imports files of other programs as flows, and checks that their scripts compile.
 */
import { checkFlow } from '../../language/flow/check-flow.ts';
import { type ImportSource, importFlows } from '../../language/import/import-flows.ts';
import type { ImportedFlow } from '../../language/import/report.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';

/** A file to import. */
export interface ImportRequest extends Pick<ImportSource, 'files' | 'folder'> {
  readonly text: string;
  /** Name of the first flow's file, without its ending. */
  readonly name: string;
}

/**
 * Imports an n8n workflow, a Rivet project, a Flowise agentflow or a promptfoo configuration. Writes nothing.
 * @throws EngineError `import.unknown-format` | `import.unreadable` | `import.too-large`
 */
export async function importSource(source: ImportRequest, catalog: NodeTypeCatalog): Promise<readonly ImportedFlow[]> {
  return await importFlows(source, async (text) => {
    const { parsed, diagnostics } = checkFlow(text, catalog);
    if (diagnostics.some(({ severity }) => severity === 'error')) return diagnostics;
    const { checkFlowScripts } = await import('../../world/script/check-flow-scripts.ts');
    return await checkFlowScripts({ doc: parsed.doc, text }, catalog);
  });
}
