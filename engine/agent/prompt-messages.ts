/**
 * The prompt parts of an agent → the messages to the model, filled for one input.
 */
import { EngineError } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { TemplatesCapability } from '../kernel/capabilities.ts';
import type { SpokenMessage } from '../kernel/model-capability.ts';
import type { PromptPart } from './agent-doc.ts';
import { type PromptOptions, readPromptOptions } from './prompt-options.ts';

/** All that a prompt may name. */
export interface PromptScope {
  readonly data: JsonValue;
  readonly input: JsonValue;
  readonly before_all: JsonValue;
}

interface RenderedMessages {
  /** In the order of the parts; parts without text are left out. */
  readonly messages: readonly SpokenMessage[];
  /** At least one of them asks for the provider's cache. */
  readonly hasCache: boolean;
}

/**
 * Fills the parts and reads the options of their headings.
 * @throws EngineError `template.bad-syntax` | `template.failed` | `agent.bad-prompt-option`, each with the line of the
 *   part's heading
 */
export async function renderMessages(
  parts: readonly PromptPart[],
  scope: PromptScope,
  templates: TemplatesCapability,
): Promise<RenderedMessages> {
  const messages: SpokenMessage[] = [];
  for (const part of parts) {
    const message = await renderPart(part, scope, templates);
    if (message !== null) messages.push(message);
  }
  return { messages, hasCache: messages.some(({ cache }) => cache === true) };
}

/** Null when nothing but blanks is left. */
async function renderPart(
  part: PromptPart,
  scope: PromptScope,
  templates: TemplatesCapability,
): Promise<SpokenMessage | null> {
  const text = await fill(part, scope, templates);
  const end = part.optionText === null ? -1 : text.indexOf('\n');
  const content = text.slice(end + 1);
  if (content.trim() === '') return null;
  const { cache } = end === -1 ? { cache: false } : promptOptions(part, text.slice(0, end));
  return { role: part.role, content, ...(cache ? { cache: true } : {}) };
}

/** The options stand in the first line of what is filled, so that they may name what the text names. */
async function fill(part: PromptPart, scope: PromptScope, templates: TemplatesCapability): Promise<string> {
  const { optionText, content, line } = part;
  const { data, input, before_all } = scope;
  try {
    const template = optionText === null ? content : `${optionText}\n${content}`;
    return await templates.render(template, { data, input, before_all }, 'agent');
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const { code, message } = error;
    throw new EngineError({ code, message: `The prompt of line ${line}: ${message}`, line, cause: error });
  }
}

function promptOptions({ line }: PromptPart, text: string): PromptOptions {
  const options = readPromptOptions(text);
  if (options !== null) return options;
  throw new EngineError({
    code: 'agent.bad-prompt-option',
    message: `The options of the prompt's heading in line ${line} are \`${text.trim()}\`, but only \`cache = true|false\` can stand there.`,
    line,
  });
}
