/**
 * Defines the tools with which a coding agent proposes changes of flows. No tool applies a proposal: only a person does.
 */
import path from 'node:path';
import { z } from 'zod';
import type { NewProposal } from '../../host/proposals/proposal.ts';
import type { Engine } from '../../index.ts';
import {
  applyEdits,
  type Diagnostic,
  EngineError,
  editFlow,
  type FlowChange,
  hasErrors,
  type JsonMap,
  parseFlow,
} from '../../isomorphic.ts';
import { flowChangeSchema } from '../../language/edit/flow-change-schema.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { allProblemsOf } from './file-problems.ts';
import { fileArgument, type McpServedTool, proposalArgument, toolOf } from './mcp-tool.ts';

/** Problems after these are not listed; they usually follow from the first ones. */
const mostProblems = 100;

const editArguments = z.strictObject({
  file: fileArgument,
  title: z.string().min(1).max(200).describe('What the change does, in one line, for the person who decides.'),
  text: z.string().exactOptional().describe('The whole new text of the flow. Pass either text or changes.'),
  changes: z
    .array(flowChangeSchema)
    .min(1)
    .max(1_000)
    .exactOptional()
    .describe('Changes to apply in order. Everything else in the file stays as it is. Needs baseHash.'),
  baseHash: z
    .string()
    .max(64)
    .exactOptional()
    .describe('Hash of the text that the change is based on, as returned by validate.'),
});

/** Returns the tools. @param clientName returns the name of the connected program */
export function proposalTools(
  engine: Engine,
  { context, clientName }: { readonly context: CliContext; readonly clientName: () => string },
): readonly McpServedTool[] {
  return [
    toolOf({
      name: 'propose_edit',
      description:
        'Proposes a change of a flow, or a new one if the file does not exist. The file stays unchanged: a person reviews the change node by node in Millrace and accepts or rejects it. Returns at once; call proposal_status to see the decision. A text with problems is refused with these problems.',
      schema: editArguments,
      isReading: false,
      async act({ file, title, ...edit }) {
        const { text, ...about } = await editedText(engine, file, edit);
        const source = { shown: file, file: path.resolve(engine.workspace, file), text };
        const problems = await allProblemsOf(source, { context, workspace: engine.workspace });
        if (hasErrors(problems)) throw invalid(file, problems);
        const { id, status } = await engine.addProposal({ file, title, by: clientName(), text, ...about });
        return { proposalId: id, status };
      },
    }),
    toolOf({
      name: 'proposal_status',
      description:
        'Returns what came of a proposal: pending, applied, partly (some changes accepted), rejected, or outdated (the flow changed in the meantime).',
      schema: z.strictObject({ proposalId: proposalArgument }),
      isReading: true,
      async act({ proposalId }) {
        const { id, file, title, status, at, baseHash, base } = await engine.readProposal(proposalId);
        const isBase = await engine.readFlow(file).then(
          async ({ text }) => (await hashOf(text)) === baseHash,
          (error: unknown) => isMissingFile(error) && parseFlow(base).doc?.nodes.length === 0,
        );
        return { proposalId: id, file, title, status, at, fileChanged: !isBase };
      },
    }),
    toolOf({
      name: 'list_proposals',
      description: 'Lists the proposals of the workspace, newest first, with their status.',
      schema: z.strictObject({}),
      isReading: true,
      async act() {
        const { proposals, problems } = await engine.listProposals();
        return {
          proposals: proposals.map(({ id, file, title, by, at, status }) => ({
            proposalId: id,
            ...{ file, title, by, at, status },
          })),
          problems: problems.map(({ path: shown, message }) => ({ path: shown, message })),
        };
      },
    }),
  ];
}

/** Returns the hash by which a proposal names the text that it changes. */
export async function hashOf(text: string): Promise<string> {
  return (await import('../../host/proposals/add-proposal.ts')).baseHashOf(text);
}

/** Returns problems as tools return them. */
export function problemsForClient(problems: readonly Diagnostic[]): JsonMap {
  const shown = problems.slice(0, mostProblems);
  return {
    valid: !hasErrors(problems),
    problems: shown.map(({ range, severity, code, message }) => ({ ...range, severity, code, message })),
  };
}

type EditedText = Pick<NewProposal, 'text' | 'base' | 'baseHash'>;

/** Returns the proposed text with the hash of the text that it changes, or with the empty flow that it fills. */
async function editedText(
  engine: Engine,
  file: string,
  { text, changes, baseHash }: Pick<z.output<typeof editArguments>, 'text' | 'changes' | 'baseHash'>,
): Promise<EditedText> {
  if ((text === undefined) === (changes === undefined)) throw usageError('Pass either text or changes.');
  const base = await engine.readFlow(file).then(
    (found) => found.text,
    (error: unknown) => {
      if (text !== undefined && baseHash === undefined && isMissingFile(error)) return undefined;
      throw error;
    },
  );
  if (base === undefined) return { text: text ?? '', base: emptyFlowFor(file, text ?? '') };
  const hash = await hashOf(base);
  if (text !== undefined) return { text, baseHash: baseHash ?? hash };
  if (baseHash === undefined) throw usageError('Changes need the baseHash that validate returns for the flow.');
  if (baseHash !== hash) return { text: base, baseHash };
  const edit = editFlow(base, { do: 'all', changes: (changes ?? []) as readonly FlowChange[], label: '' });
  if (!edit.ok) throw new EngineError(edit.error);
  return { text: applyEdits(base, [...edit.edits]), baseHash };
}

function isMissingFile(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'files.not-found';
}

/** Returns a flow without nodes, or without steps, that has the name of another one. */
function emptyFlowFor(file: string, text: string): string {
  const { flow, steps } = parseFlow(text).doc ?? {};
  if (steps === undefined)
    return `flow:\n  name: ${JSON.stringify(flow?.name ?? 'New flow')}\n\nnodes: []\n\nedges: []\n`;
  const id = JSON.stringify(steps.id);
  return file.endsWith('.json') ? `{\n  "id": ${id},\n  "steps": []\n}\n` : `id: ${id}\nsteps: []\n`;
}

function invalid(file: string, problems: readonly Diagnostic[]): EngineError {
  return new EngineError({
    code: 'flow.invalid',
    message: `The proposed text of ${file} has problems. Fix them, and propose the change again.`,
    details: problemsForClient(problems),
  });
}
