/**
 * Converts the prompts of a configuration to flows.
 */
import { composeFlow } from '../../flow/compose-flow.ts';
import type { EdgeDoc, NodeDoc } from '../../flow/flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { ImportedFlow, ImportLine } from '../report.ts';
import { binding, optional, plainText } from '../texts.ts';
import { answerText, nodeIds } from './conditions.ts';
import { type ConfigFiles, filePath, isGlob, isProgram, listOf, parsedValue } from './config-values.ts';
import type { FoundProvider } from './providers.ts';
import { fillTemplate } from './templates.ts';

export interface FoundPrompt {
  readonly label: string;
  readonly messages: readonly JsonMap[] | string;
  readonly lost: readonly string[];
}

/** Reads the prompts, also from the files that the configuration names. */
export async function promptsIn(value: JsonValue | undefined, files: ConfigFiles): Promise<readonly FoundPrompt[]> {
  const found: FoundPrompt[] = [];
  for (const one of listOf(value)) found.push(...(await promptsOf(one, files)));
  return found.length > 0 ? found : [{ label: '', messages: '', lost: ['The file contains no prompt.'] }];
}

async function promptsOf(one: JsonValue, files: ConfigFiles): Promise<readonly FoundPrompt[]> {
  const { raw = '', label = '' } = isJsonMap(one)
    ? { raw: one['raw'] ?? one['id'], label: one['label'] }
    : { raw: one };
  const named = String(raw);
  const path = filePath(named) ?? /^[\w./*-]+\.(?:txt|json|md|ya?ml|j2)$/.exec(named)?.[0];
  if (path === undefined) return [{ label: String(label), messages: messagesIn(named), lost: [] }];
  const found = isGlob(path) ? await files.find(path) : [path];
  const paths = found.length === 0 ? [path] : found;
  return await Promise.all(paths.map((file) => promptIn(file, String(label), files)));
}

async function promptIn(path: string, label: string, files: ConfigFiles): Promise<FoundPrompt> {
  const text = isProgram(path) ? undefined : await files.read(path);
  if (text !== undefined) return { label, messages: messagesIn(text), lost: [] };
  return { label, messages: '', lost: [`The prompt is in ${path}, which was not read. Paste it into the node.`] };
}

/** A prompt may be a conversation in JSON or YAML. */
function messagesIn(text: string): FoundPrompt['messages'] {
  if (!/^\s*(?:\[|-\s+(?:role|content):)/.test(text)) return text.trim();
  const messages = listOf(parsedValue(text)).filter(isJsonMap);
  const isChat =
    messages.length > 0 &&
    messages.every((one) => typeof one['content'] === 'string' && typeof one['role'] === 'string');
  if (!isChat) return text.trim();
  return messages.map(({ role, content }) => ({ role: role as JsonValue, content: content as JsonValue }));
}

/** Returns what the user asks in a prompt: its text, or that of the last message. */
export function questionIn({ messages }: FoundPrompt): string {
  return typeof messages === 'string' ? messages : String(messages.at(-1)?.['content'] ?? '');
}

export interface PromptFlowParts {
  readonly base: string;
  readonly provider: FoundProvider | undefined;
  readonly variables: readonly string[];
  /** IDs of the nodes of which tests expect something. */
  readonly tested: ReadonlySet<string>;
}

/** Makes the flow of a prompt. */
export function flowOf({ label, messages }: FoundPrompt, parts: PromptFlowParts): Omit<ImportedFlow, 'remarks'> {
  const { base, provider, variables, tested } = parts;
  const lost = new Set<string>();
  const used = new Map<string, JsonValue>(variables.map((name) => [name, '']));
  const bound = (text: string): string => withBindings(text, used, lost);
  const input: JsonMap =
    typeof messages === 'string'
      ? { prompt: bound(messages) }
      : {
          messages: messages.map(({ role, content }) => ({ role: role as JsonValue, content: bound(String(content)) })),
        };
  const config: JsonMap = {
    ...(provider?.model === undefined ? {} : { model: provider.model }),
    ...provider?.config,
  };
  const parsers = [parserNode(nodeIds.whole, 'whole'), parserNode(nodeIds.part, 'first')].filter(({ id }) =>
    tested.has(id),
  );
  const text = composeFlow({
    flow: { name: label === '' ? base : label, input: Object.fromEntries(used) },
    nodes: [
      { id: nodeIds.prompt, type: 'prompt', input, ...(Object.keys(config).length === 0 ? {} : { config }) },
      ...parsers,
    ],
    edges: parsers.map(({ id }): EdgeDoc => ({ from: nodeIds.prompt, to: id })),
  });
  const line: ImportLine = {
    ...{ name: label === '' ? 'prompt' : label, type: 'prompt', became: 'prompt', id: nodeIds.prompt, lost: [...lost] },
    status: lost.size > 0 ? 'partly' : 'mapped',
  };
  return { name: base, file: `${base}.flow.yaml`, text, lines: [line] };
}

/** Makes the node that parses the answer for tests. Text that is not JSON fails a test, but not the run. */
function parserNode(id: string, find: 'whole' | 'first'): NodeDoc {
  return {
    id,
    type: 'json.parse',
    input: { text: `{{${answerText}}}` },
    config: { find },
    policy: { continueOnError: true },
  };
}

/** Filters that are unnecessary in flows. */
const unneeded: ReadonlySet<string> = new Set(['safe', 'dump', 'trim', 'string']);

/** Replaces `{{name}}` by bindings to the flow's inputs. */
function withBindings(text: string, used: Map<string, JsonValue>, lost: Set<string>): string {
  return fillTemplate(
    text,
    (path, filters) => {
      const [root = ''] = path;
      if (root === 'env' || root === '_conversation' || !filters.every((name) => unneeded.has(name))) return undefined;
      if (path.length > 1) used.set(root, {});
      else if (!used.has(root)) used.set(root, '');
      // A missing part of a value is empty in promptfoo.
      return (path.length > 1 ? optional : binding)(['flow', 'input', ...path]);
    },
    { lost, keep: plainText },
  );
}
