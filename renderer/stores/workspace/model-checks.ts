/**
 * Warnings of nodes whose model cannot be asked: they stand beside what the check of the file says, and only in a window,
 * because what is set up on a machine is no property of a file.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { Diagnostic } from '../../../engine/isomorphic.ts';
import { modelOf } from '../flow/node-models.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import type { ModelProblem, Models } from './models.ts';

/** Whether a problem is one of these, which a form shows at the model itself. */
export function isModelWarning({ code }: Pick<Diagnostic, 'code'>): boolean {
  return code === 'model.missing' || code === 'model.missing-key' || code === 'model.unusable';
}

const startOfFile = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** What is to be said of the models of a flow; undefined = of some nothing is known yet. */
function warningsOf({ doc, nodeRanges }: OpenFile, problems: Models['problems']): readonly Diagnostic[] | undefined {
  const warnings: Diagnostic[] = [];
  for (const node of doc?.nodes ?? []) {
    const model = modelOf(node);
    const problem = model === undefined ? null : problems.get(model);
    if (problem === undefined) return undefined;
    if (problem !== null) warnings.push(warningOf(node.id, problem, nodeRanges.get(node.id) ?? startOfFile));
  }
  return warnings;
}

function warningOf(nodeId: string, problem: ModelProblem, range: Diagnostic['range']): Diagnostic {
  const base = { severity: 'warning', nodeId, range } as const;
  const { code, provider = '', variable = '', message } = problem;
  const name = problem.model === null ? 'the default model' : problem.model;
  if (code === 'model.missing') {
    const mend = 'Choose one in its settings, or a default in Settings > Models.';
    return { ...base, code: 'model.missing', message: `No model is chosen for ${nodeId}. ${mend}` };
  }
  if (code === 'model.missing-key') {
    const mend = `Enter it at the model of ${nodeId}, or set the environment variable ${variable}.`;
    return { ...base, code: 'model.missing-key', message: `${name} needs a key of "${provider}". ${mend}` };
  }
  return { ...base, code: 'model.unusable', message: `${name} cannot be asked: ${message}` };
}

/** Adds the warnings to each open flow, as long as it is open. Returns the end of it. */
export function followModelChecks(models: StoreApi<Models>, openFiles: StoreApi<OpenFiles>): () => void {
  const warn = (file: OpenFile): void => {
    if (file.kind !== 'flow' || file.status !== 'ready' || file.isCheckStale || file.isDocStale || file.doc === null) {
      return;
    }
    const warnings = warningsOf(file, models.getState().problems);
    if (warnings === undefined) {
      void models.getState().check([...new Set(file.doc.nodes.map(modelOf).filter((model) => model !== undefined))]);
      return;
    }
    const { typedLines, takeCheck } = openFiles.getState();
    const all = typedLines.all(file.path, file.diagnostics);
    if (isSame(all.filter(isModelWarning), warnings)) return;
    const diagnostics = [...all.filter((one) => !isModelWarning(one)), ...warnings];
    takeCheck(file.path, file.text, { ...file, diagnostics });
  };
  const ends = [
    openFiles.subscribe(({ files }, former) => {
      if (files === former.files) return;
      for (const file of files.values()) if (file !== former.files.get(file.path)) warn(file);
    }),
    models.subscribe(({ problems }, former) => {
      if (problems !== former.problems) for (const file of openFiles.getState().files.values()) warn(file);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function isSame(left: readonly Diagnostic[], right: readonly Diagnostic[]): boolean {
  const wordsOf = ({ nodeId, code, message, range: { line } }: Diagnostic): string =>
    `${nodeId} ${code} ${line} ${message}`;
  return left.length === right.length && left.every((one, index) => wordsOf(one) === wordsOf(right[index] ?? one));
}
