/**
 * Fills an agent's prompt parts for one input and returns the messages to the model.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { PromptPart } from '../../language/agent/agent-doc.ts';
import { type PromptOptions, readPromptOptions } from '../../language/agent/prompt-options.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { TemplatesCapability } from '../kernel/capabilities/capabilities.ts';
import type { SpokenMessage } from '../kernel/models/model-capability.ts';

/** All variables available to a prompt. */
export interface PromptScope {
  readonly data: JsonValue;
  readonly input: JsonValue;
  readonly before_all: JsonValue;
}

interface RenderedMessages {
  /** Messages in the order of the parts, without blank parts. */
  readonly messages: readonly SpokenMessage[];
  /** Whether at least one message requests caching by the provider. */
  readonly hasCache: boolean;
}

/**
 * Fills the parts and parses the options in their headings.
 * @throws EngineError `template.bad-syntax` | `template.failed` | `agent.bad-prompt-option`, each with the line of the
 * part's heading
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

/** Returns null if only white space remains. */
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

/** Options are filled as the first line of the text, so that they can use the same variables. */
async function fill(part: PromptPart, scope: PromptScope, templates: TemplatesCapability): Promise<string> {
  const { optionText, content, line } = part;
  const { data, input, before_all } = scope;
  try {
    const template = optionText === null ? content : `${optionText}\n${content}`;
    return await templates.render(template, { data, input, before_all }, 'agent');
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const { code, message } = error;
    throw new EngineError({ code, message: `The prompt in line ${line}: ${message}`, line, cause: error });
  }
}

function promptOptions({ line }: PromptPart, text: string): PromptOptions {
  const options = readPromptOptions(text);
  if (options !== null) return options;
  throw new EngineError({
    code: 'agent.bad-prompt-option',
    message: `The options in the prompt heading in line ${line} are \`${text.trim()}\`, but only \`cache = true|false\` is allowed there.`,
    line,
  });
}
