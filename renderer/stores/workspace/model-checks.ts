/**
 * Warnings for nodes and agents with a model that cannot be used. They are added to the problems of the file only in a
 * window, because the setup of a machine is not a property of a file.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type Diagnostic, parseAgent } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { modelOf } from '../flow/node-models.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import type { PreferencesState } from '../window/preferences.ts';
import type { ModelProblem, Models } from './models.ts';
import { text as words } from './text.ts';

/** Returns whether a problem is one of these warnings, which a form shows at its model field. */
export function isModelWarning({ code }: Pick<Diagnostic, 'code'>): boolean {
  return code === 'model.missing' || code === 'model.missing-key' || code === 'model.unusable';
}

const startOfFile = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** A model used by a file. */
interface AskedModel {
  /** Null for the default. */
  readonly model: string | null;
  /** Null if the file is an agent. */
  readonly nodeId: string | null;
  readonly range: Diagnostic['range'];
}

function askedModels({ kind, text, doc, nodeRanges }: OpenFile): readonly AskedModel[] {
  if (kind === 'agent') return askedByAgent(text);
  return (doc?.nodes ?? []).flatMap((node) => {
    const model = modelOf(node);
    return model === undefined ? [] : [{ model, nodeId: node.id, range: nodeRanges.get(node.id) ?? startOfFile }];
  });
}

/**
 * An agent uses the model at its first prompt; without prompts it uses none. A script that mentions a model may choose
 * it.
 */
function askedByAgent(text: string): readonly AskedModel[] {
  const { doc } = parseAgent(text);
  const [first] = doc?.prompts ?? [];
  if (doc === null || first === undefined) return [];
  const { model, model_aliases: aliases = {} } = doc.options;
  if (model === undefined && Object.values(doc.scripts).some(({ code }) => code.includes('model'))) return [];
  const { line } = first;
  return [
    {
      model: model === undefined ? null : Object.hasOwn(aliases, model) ? (aliases[model] ?? model) : model,
      nodeId: null,
      range: { line, column: 1, endLine: line, endColumn: 1 },
    },
  ];
}

/** Returns the warnings for the models used by a file. Undefined if some have not been checked yet. */
function warningsOf(asked: readonly AskedModel[], problems: Models['problems']): readonly Diagnostic[] | undefined {
  const warnings: Diagnostic[] = [];
  for (const one of asked) {
    const problem = problems.get(one.model);
    if (problem === undefined) return undefined;
    if (problem !== null) warnings.push(warningOf(one, problem));
  }
  return warnings;
}

function warningOf({ nodeId, range }: AskedModel, problem: ModelProblem): Diagnostic {
  const base = { severity: 'warning', range, ...(nodeId === null ? {} : { nodeId }) } as const;
  const { code, provider = '', variable = '', message } = problem;
  const { defaultModel, missingInAgent, missingInNode, keyMissingInAgent, keyMissingInNode, unusable } =
    words.modelProblems;
  const model = problem.model ?? defaultModel;
  if (code === 'model.missing') {
    return { ...base, code, message: nodeId === null ? missingInAgent : missingInNode({ node: nodeId }) };
  }
  if (code === 'model.missing-key') {
    const key = { model, provider, variable };
    return {
      ...{ ...base, code },
      message: nodeId === null ? keyMissingInAgent(key) : keyMissingInNode({ ...key, node: nodeId }),
    };
  }
  return { ...base, code: 'model.unusable', message: unusable({ model, reason: message }) };
}

/** Adds the warnings to each open flow and agent. Returns a function that stops it. */
function followModelChecks(models: StoreApi<Models>, openFiles: StoreApi<OpenFiles>): () => void {
  const warn = (file: OpenFile): void => {
    if (file.kind === 'file' || file.kind === 'dialogue' || file.status !== 'ready' || file.isCheckStale) return;
    if (file.kind === 'flow' && (file.isDocStale || file.doc === null)) return;
    const asked = askedModels(file);
    const warnings = warningsOf(asked, models.getState().problems);
    if (warnings === undefined) {
      void models.getState().check([...new Set(asked.map(({ model }) => model))]);
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

interface ModelParts {
  readonly engine: EngineClient;
  readonly models: StoreApi<Models>;
  readonly preferences: StoreApi<PreferencesState>;
  readonly openFiles: StoreApi<OpenFiles>;
}

/** Updates the known models when files and settings change. Returns functions that unsubscribe. */
export function followModels({ engine, models, preferences, openFiles }: ModelParts): (() => void)[] {
  const refresh = (): void => void models.getState().refresh();
  return [
    followModelChecks(models, openFiles),
    engine.onConnected(refresh),
    engine.stream('watchFiles', ({ paths }) => {
      if (paths.some((path) => /\.(?:ya?ml|toml)$/.test(path))) refresh();
    }),
    preferences.subscribe((now, before) => {
      if (now.models !== before.models && before.models !== null) refresh();
    }),
  ];
}
