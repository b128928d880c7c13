/**
 * Flowise nodes of chatflows and sequential agentflows. Their models, prompt templates and memories are nodes of their
 * own, which are connected to the node that uses them.
 */
import { parseJson } from '../../json/exact-json.ts';
import type { JsonMap } from '../../json/json-value.ts';
import type { MappingContext, TypeMapping } from '../mapping.ts';
import { modelName } from '../models.ts';
import { at, defined, isBlank, numberAt, textAt } from '../read-json.ts';
import type { SourceEdge, SourceNode } from '../source-flow.ts';
import { binding, plainText } from '../texts.ts';
import { type FlowiseNode, flowiseNode } from './flowise-node.ts';

/** Whether an edge connects a part such as a model: the type of its input is the name of a class. */
export function isPartEdge({ toPort }: SourceEdge): boolean {
  return /^(?!sequentialNode)\w+-[A-Z]/.test(toPort);
}

function inputOf({ toPort }: SourceEdge): string {
  return /^(\w+)-/.exec(toPort)?.[1] ?? '';
}

/** Returns the nodes that are connected to an input. */
function partsAt(input: string, node: SourceNode, context: MappingContext): readonly SourceNode[] {
  return context.into(node).flatMap((edge) => {
    const source = inputOf(edge) === input ? context.node(edge.from) : undefined;
    return source === undefined ? [] : [source];
  });
}

/** A node that becomes part of the nodes to which it is connected, if they are of certain types. */
function part(users: readonly string[], lost: readonly string[] = []): TypeMapping {
  const userOf = (node: SourceNode, context: MappingContext): SourceNode | undefined =>
    context
      .from(node)
      .map(({ to }) => context.node(to))
      .find((user) => user !== undefined && users.includes(user.type));
  return {
    isPart: (node, context) => userOf(node, context) !== undefined,
    map(node, context) {
      const user = userOf(node, context);
      if (user === undefined) return { as: 'placeholder', why: 'It belongs to a node that has no counterpart.' };
      return { as: 'part', of: user.name, lost };
    },
  };
}

const question = ['flow', 'input', 'question'];

/** Fills a template: `{name}` is a variable, and two braces are one. */
function filled(template: string, values: JsonMap, { node, texts }: FlowiseNode): string {
  return template
    .split(/(\{\{|\}\}|\{[A-Za-z_][\w ]*\})/)
    .map((piece) => {
      if (piece === '{{' || piece === '}}') return piece.slice(1);
      const name = /^\{([A-Za-z_][\w ]*)\}$/.exec(piece)?.[1];
      if (name === undefined) return plainText(piece);
      const value = at(values, name);
      if (typeof value === 'string' && !value.startsWith('$flow')) return texts.text(value);
      // A chain gets the message as its only input, whatever the variable is called.
      const isMessage = name === 'question' || name === 'input' || !node.type.startsWith('seq');
      if (value === '$flow.input' || (value === undefined && isMessage)) return binding(question);
      texts.lost.push(`The variable {${name}} stays as text.`);
      return plainText(piece);
    })
    .join('');
}

interface Templates {
  readonly system: string;
  readonly prompt: string;
  readonly values: JsonMap;
}

function templatesOf({ node, settings, context }: FlowiseNode): Templates {
  const [template] = partsAt('prompt', node, context);
  const source = template?.settings ?? settings;
  const values = parseJson(textAt(source, 'promptValues')) as JsonMap | undefined;
  return {
    system: textAt(source, 'systemMessagePrompt') || textAt(source, 'systemMessage'),
    prompt: textAt(source, 'template') || textAt(source, 'humanMessagePrompt'),
    values: values ?? {},
  };
}

/** Sequential nodes without a model use that of the start. */
function modelOf({ node, context }: FlowiseNode): SourceNode | undefined {
  const start = context.flow.nodes.find(({ type }) => type === 'seqStart');
  const own = partsAt('model', node, context)[0] ?? partsAt('llm', node, context)[0];
  return own ?? (start !== undefined && node.type.startsWith('seq') ? partsAt('model', start, context)[0] : undefined);
}

function lostOfParts({ node, settings, context }: FlowiseNode): readonly string[] {
  const tools = partsAt('tools', node, context).map(({ name }) => name);
  return [
    ...(tools.length === 0 ? [] : [`Not imported: the tools ${tools.join(', ')}. Add tools to the prompt.`]),
    ...(partsAt('outputParser', node, context).length === 0
      ? []
      : ['Its output parser was not imported. Add an output schema.']),
    ...(partsAt('memory', node, context).length === 0
      ? []
      : ['Not imported: the memory of the chat. Use messages or a conversation.']),
    ...(node.type.startsWith('seq') ? ['It does not get the messages of the nodes before it. Use bindings.'] : []),
    ...(['updateStateMemoryUI', 'updateStateMemoryCode'].every((key) => isBlank(at(settings, key)))
      ? []
      : ['A flow has no state. Nodes read the value of the node that set it.']),
  ];
}

const prompt = flowiseNode({
  convert(opened) {
    const model = modelOf(opened);
    if (model === undefined) return { why: 'No model is connected to it.' };
    const { system, prompt: template, values } = templatesOf(opened);
    const name = modelName(model.type, textAt(model.settings, 'modelName'));
    const maxTokens = numberAt(model.settings, 'maxTokens');
    const lost = [
      ...(name === undefined ? [`Its model ${model.name} was not imported. The default model is used.`] : []),
      ...lostOfParts(opened),
    ];
    const input = {
      ...(system === '' ? {} : { system: filled(system, values, opened) }),
      prompt: template === '' ? binding(question) : filled(template, values, opened),
    };
    const config = defined({
      model: name,
      temperature: numberAt(model.settings, 'temperature'),
      maxTokens: maxTokens !== undefined && maxTokens >= 1 ? maxTokens : undefined,
    });
    return { type: 'prompt', input, config, lost };
  },
  at: ({ rest }, node, context) =>
    rest.length === 0 || rest[0] === 'content' || rest[0] === 'text' ? [context.idOf(node), 'text'] : undefined,
});

const start: TypeMapping = {
  isPart: () => true,
  map: () => ({ as: 'inputs', inputs: { question: { type: 'string', description: 'Message', required: true } } }),
};

const end: TypeMapping = {
  isPart: () => true,
  map: () => ({ as: 'part', of: 'the end of the flow' }),
};

const sequential = ['seqAgent', 'seqLLMNode', 'seqStart'];
const promptTypes = ['llmChain', 'conversationChain', 'conversationalAgent', 'toolAgent', ...sequential];

const model = part(promptTypes);
const memory = part(promptTypes, ['Not imported: the memory of the chat. Use messages or a conversation.']);

const modelPattern = /^(?:azureC|awsC|groqC|c)hat(?!PromptTemplate|flow)[A-Z]/;

const types: Readonly<Record<string, TypeMapping>> = {
  ...Object.fromEntries(promptTypes.map((type) => [type, prompt])),
  seqStart: start,
  seqEnd: end,
  seqState: part(sequential, ['A flow has no state. Nodes read the value of the node that set it.']),
  agentMemory: memory,
  bufferMemory: memory,
  bufferWindowMemory: memory,
  promptTemplate: part(['llmChain']),
  chatPromptTemplate: part(['llmChain']),
};

/** Returns the mapping of a node of a chatflow or sequential agentflow. */
export function partTypeOf(type: string): TypeMapping | undefined {
  return Object.hasOwn(types, type) ? types[type] : modelPattern.test(type) ? model : undefined;
}
