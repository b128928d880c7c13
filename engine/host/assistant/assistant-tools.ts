/**
 * The tools of the assistant's model. They read flows and node types; the only thing they write is a proposal in
 * memory.
 */
import { z } from 'zod';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { applyEdits } from '../../base/text-edit.ts';
import { editFlow } from '../../language/edit/edit-flow.ts';
import type { FlowChange } from '../../language/edit/flow-change.ts';
import { flowChangeSchema } from '../../language/edit/flow-change-schema.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type {
  ToolCall,
  ToolDescription,
  ToolResult,
  ToolsCapability,
} from '../../runtime/kernel/capabilities/tool-capability.ts';
import { describeNodeTypes } from '../workspace/node-type-list.ts';
import type { AssistantSubject } from './assistant.ts';
import type { AssistantToolText } from './assistant-texts.ts';
import type { AssistantWorld } from './assistant-world.ts';
import { checkProposed, newErrors, problemsForModel } from './check-proposed.ts';

/** Invalid proposals after the first one. */
const mostRepairs = 3;

const flowText = z.string().max(MAX_FLOW_TEXT_LENGTH, 'The text is too large for a flow.');
const readArguments = z.strictObject({
  path: z.string().max(4_096).exactOptional(),
  fromLine: z.int().min(1).exactOptional(),
});
const typeArguments = z.strictObject({ type: z.string().max(1_000).exactOptional() });
const checkArguments = z.strictObject({ text: flowText });
const proposeArguments = z
  .strictObject({
    title: z.string().trim().min(1).max(500),
    text: flowText.exactOptional(),
    changes: z.array(flowChangeSchema).min(1).max(1_000).exactOptional(),
  })
  .refine(({ text, changes }) => (text === undefined) !== (changes === undefined), 'Pass either text or changes.');

/** A change that passed all checks. */
export interface CheckedChange {
  readonly title: string;
  readonly text: string;
}

/** A call that a model can correct. */
class Refused extends Error {}

export class AssistantTools implements ToolsCapability {
  readonly #subject: AssistantSubject;
  readonly #world: AssistantWorld;
  readonly #texts: readonly AssistantToolText[];
  #before: Promise<readonly Diagnostic[]> | undefined;
  #misses = 0;
  /** The last valid change; undefined if there is none. */
  change: CheckedChange | undefined;

  constructor(subject: AssistantSubject, world: AssistantWorld, texts: readonly AssistantToolText[]) {
    this.#subject = subject;
    this.#world = world;
    this.#texts = texts;
  }

  async describe(): Promise<readonly ToolDescription[]> {
    return this.#texts.map(({ name, description, inputSchema }) => ({
      ...{ name, description, inputSchema, risk: 'low', requiresApproval: false, kind: 'core', source: 'core' },
      // Proposals must be checked one after the other.
      effects: name === 'propose_changes' ? 'external' : 'idempotent',
      tags: { accessesPrivateData: false, receivesUntrustedInput: true, communicatesExternally: false },
    }));
  }

  /** @throws EngineError `assistant.no-valid-proposal` after the last repair */
  async call({ tool, params }: ToolCall): Promise<ToolResult> {
    try {
      return { status: 'success', result: await this.#act(tool, params) };
    } catch (thrown) {
      if (tool === 'propose_changes') this.#countMiss();
      return refusedCall(tool, sentenceOf(thrown));
    }
  }

  async #act(tool: string, params: JsonMap): Promise<JsonMap> {
    switch (tool) {
      case 'read_flow':
        return await this.#readFlow(readArguments.parse(params));
      case 'list_node_types':
        return await this.#listTypes(typeArguments.parse(params));
      case 'check_flow':
        return problemsForModel(await this.#check(checkArguments.parse(params).text));
      case 'propose_changes':
        return await this.#propose(proposeArguments.parse(params));
      default:
        throw new Refused(`The tool "${tool}" does not exist.`);
    }
  }

  /** Only flows of the workspace can be read, and no other files. */
  async #readFlow({ path, fromLine = 1 }: z.output<typeof readArguments>): Promise<JsonMap> {
    const { file, text: open } = this.#subject;
    const { engine } = this.#world;
    const wanted = path ?? file;
    if (wanted !== file && !(await engine.listFlows()).some((flow) => flow.path === wanted))
      throw new Refused(`${wanted.slice(0, 200)} is not a flow of this workspace. The data lists its flows.`);
    const text = wanted === file ? open : (await engine.readFlow(wanted)).text;
    const problems = problemsForModel(await checkProposed({ path: wanted, text }, this.#world));
    return {
      path: wanted,
      ...problems,
      text: text
        .split('\n')
        .slice(fromLine - 1)
        .join('\n'),
    };
  }

  async #listTypes({ type }: z.output<typeof typeArguments>): Promise<JsonMap> {
    const described = await describeNodeTypes(this.#world.engine, type);
    if (described === undefined) throw new Refused(`The node type "${type}" does not exist. Call it without a type.`);
    return described;
  }

  #check(text: string): Promise<readonly Diagnostic[]> {
    return checkProposed({ path: this.#subject.file, text }, this.#world);
  }

  async #propose({ title, text, changes }: z.output<typeof proposeArguments>): Promise<JsonMap> {
    const base = this.#subject.text;
    if (parseFlow(base).doc === null)
      throw new Refused('The open text is not a flow yet, so it cannot be changed. Tell the person what to correct.');
    const proposed = text ?? changedText(base, changes as readonly FlowChange[]);
    if (proposed === base) throw new Refused('The proposal changes nothing.');
    this.#before ??= this.#check(base);
    const found = await this.#check(proposed);
    const added = newErrors(found, await this.#before);
    if (added.length > 0) throw new Refused(JSON.stringify(problemsForModel(added)));
    this.change = { title, text: proposed };
    return { status: 'pending', ...problemsForModel(found) };
  }

  #countMiss(): void {
    this.#misses++;
    if (this.#misses <= mostRepairs) return;
    throw new EngineError({
      code: 'assistant.no-valid-proposal',
      message: `The model proposed ${this.#misses} changes, and each one had problems. Nothing was changed. Describe the change in more detail, or use another model.`,
    });
  }
}

/** @throws EngineError `edit.refused` */
function changedText(base: string, changes: readonly FlowChange[]): string {
  const edit = editFlow(base, { do: 'all', changes, label: '' });
  if (!edit.ok) throw new EngineError(edit.error);
  return applyEdits(base, [...edit.edits]);
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof z.ZodError) {
    const lines = thrown.issues
      .slice(0, 10)
      .map(({ path, message }) => `- ${path.join('.') || 'arguments'}: ${message}`);
    return `The arguments are not valid:\n${lines.join('\n')}`;
  }
  return thrown instanceof Refused ? thrown.message : toErrorRecord(thrown).message;
}

function refusedCall(tool: string, message: string): ToolResult {
  return {
    ...{ status: 'error', error_category: 'validation_error', message, retryable: false },
    metadata: { tool_id: tool, attempt: 1 },
  };
}
