/**
 * n8n nodes that call models: chains, agents and their parts (models, output parsers, memory and tools).
 */
import { parseJson } from '../../json/exact-json.ts';
import { isJsonMap, type JsonMap } from '../../json/json-value.ts';
import type { MappingContext, TypeMapping } from '../mapping.ts';
import { modelName } from '../models.ts';
import { at, deepAt, defined, entryOf, isBlank, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import { schemaOfExample } from '../schema-of-example.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding } from '../texts.ts';
import { type N8nNode, n8nNode } from './n8n-node.ts';

function partsOf(node: SourceNode, kind: string, context: MappingContext): readonly SourceNode[] {
  return context.into(node).flatMap(({ fromPort, from }) => {
    const part = fromPort === kind ? context.node(from) : undefined;
    return part === undefined ? [] : [part];
  });
}

/** Returns the settings of the model that is connected to a node. */
function modelConfig(node: SourceNode, context: MappingContext, lost: string[]): JsonMap {
  const [part] = partsOf(node, 'ai_languageModel', context);
  const params = mapAt(part?.settings, 'parameters');
  return part === undefined ? {} : { ...namedModel(part.type, params, lost), ...optionsOf(mapAt(params, 'options')) };
}

function namedModel(type: string, params: JsonMap, lost: string[]): JsonMap {
  const written = ['model', 'modelName', 'modelId'].map((key) => at(params, key)).find((value) => !isBlank(value));
  const name = typeof written === 'string' ? written : textAt(written, 'value');
  const model = modelName(type, name);
  if (model === undefined)
    lost.push(`Its model ${name} was not imported. The default model is used.`.replace('  ', ' '));
  return model === undefined ? {} : { model };
}

function optionsOf(options: JsonMap): JsonMap {
  const maxTokens = numberAt(options, 'maxTokens') ?? numberAt(options, 'maxOutputTokens');
  return defined({
    temperature: numberAt(options, 'temperature'),
    top_p: numberAt(options, 'topP'),
    maxTokens: maxTokens !== undefined && maxTokens >= 1 ? maxTokens : undefined,
  });
}

/** Returns the schema of an output parser or extractor. */
function schemaOf(params: JsonMap): JsonMap | undefined {
  const manual = parseJson(textAt(params, 'inputSchema') || textAt(params, 'jsonSchema'));
  if (isJsonMap(manual) && textAt(params, 'schemaType') !== 'fromJson') return manual;
  const example = parseJson(textAt(params, 'jsonSchemaExample'));
  if (example !== undefined) return schemaOfExample(example);
  const attributes = mapsAt(mapAt(params, 'attributes'), 'attributes');
  if (attributes.length === 0) return undefined;
  const types: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean' };
  const properties = attributes.map((one) => {
    const schema = { type: entryOf(types, textAt(one, 'type')) ?? 'string', description: textAt(one, 'description') };
    return [textAt(one, 'name'), schema] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function outputSchema(node: SourceNode, context: MappingContext): JsonMap | undefined {
  const own = schemaOf(mapAt(node.settings, 'parameters'));
  if (own !== undefined) return own;
  const [parser] = partsOf(node, 'ai_outputParser', context);
  return parser === undefined ? undefined : schemaOf(mapAt(parser.settings, 'parameters'));
}

function lostParts(node: SourceNode, context: MappingContext): readonly string[] {
  const names = (kind: string): string =>
    partsOf(node, kind, context)
      .map(({ name }) => name)
      .join(', ');
  const [tools, memory] = [names('ai_tool'), names('ai_memory')];
  return [
    ...(tools === '' ? [] : [`Not imported: the tools ${tools}. Add tools to the prompt.`]),
    ...(memory === '' ? [] : [`Not imported: the memory ${memory}. Use messages or a conversation.`]),
  ];
}

function convertPrompt({ node, params, texts, context }: N8nNode) {
  const lost: string[] = [];
  const options = mapAt(params, 'options');
  const promptType = textAt(params, 'promptType');
  const written = textAt(params, 'text') || textAt(params, 'prompt');
  const fromChat = texts.current(['chatInput']);
  const isWritten = written !== '' && promptType !== 'auto';
  if (!isWritten && fromChat === undefined) return { why: 'Its prompt is not in the workflow.' };
  const prompt = isWritten ? texts.text(written) : binding(fromChat ?? []);
  const messages = mapsAt(mapAt(params, 'messages'), 'messageValues');
  const system = [textAt(options, 'systemMessage'), ...messages.map((one) => textAt(one, 'message'))]
    .filter((text) => text !== '')
    .map((text) => texts.text(text))
    .join('\n\n');
  const others = Object.keys(options).filter((key) => !['systemMessage', 'maxIterations'].includes(key));
  if (others.length > 0) lost.push(`Not imported: the options ${others.join(', ')}.`);
  const schema = outputSchema(node, context);
  const config = { ...modelConfig(node, context, lost), ...(schema === undefined ? {} : { output: { schema } }) };
  const input = { ...(system === '' ? {} : { system }), prompt };
  return { type: 'prompt', input, config, lost: [...lost, ...lostParts(node, context)] };
}

/** Text of a response has several names in n8n. */
const responseNames = ['output', 'text', 'response', 'content', 'message'];

function promptAt(hasSchema: (node: SourceNode, context: MappingContext) => boolean): NonNullable<TypeMapping['at']> {
  return ({ rest: [first, ...rest], isList }, node, context) => {
    if (isList === true) return undefined;
    const id = context.idOf(node);
    const inner = first === 'message' && rest[0] === 'content' ? rest.slice(1) : rest;
    if (first !== undefined && !responseNames.includes(first)) return [id, first, ...rest];
    if (hasSchema(node, context)) return [id, 'value', ...inner];
    return inner.length === 0 ? [id, 'text'] : undefined;
  };
}

const known = [
  ...['text', 'prompt', 'promptType', 'options', 'messages', 'hasOutputParser', 'agent', 'needsFallback'],
  ...['schemaType', 'jsonSchemaExample', 'inputSchema', 'attributes', 'batching'],
];

const chain = n8nNode({
  known,
  convert: convertPrompt,
  at: promptAt((node, context) => outputSchema(node, context) !== undefined),
});

const openAiKnown = [
  'modelId',
  'messages',
  'options',
  'jsonOutput',
  'simplify',
  'resource',
  'operation',
  'prompt',
  'model',
];

/** The node of OpenAI's own, with messages in its settings. */
const openAi = n8nNode({
  known: openAiKnown,
  convert({ node, params, texts }) {
    const operation = textAt(params, 'operation');
    const written = mapsAt(mapAt(params, 'messages'), 'values').concat(mapsAt(mapAt(params, 'prompt'), 'messages'));
    const isMessage = ['', 'message', 'response', 'complete'].includes(operation);
    if (!isMessage || written.length === 0) return { why: 'Only its messages to a model can be imported.' };
    const lost: string[] = [];
    const messages = written.map((one) => ({
      role: roleOf(textAt(one, 'role')),
      content: texts.text(textAt(one, 'content')),
    }));
    const isJson = params['jsonOutput'] === true;
    const config = {
      ...namedModel('openAi', params, lost),
      ...optionsOf(mapAt(params, 'options')),
      ...(isJson ? { output: { schema: { type: 'object' } } } : {}),
    };
    return { type: 'prompt', input: { messages }, config, lost: [...lost, ...mergedTools(node)] };
  },
  at: promptAt((node) => deepAt(node.settings, 'parameters', 'jsonOutput') === true),
});

function mergedTools({ settings }: SourceNode): readonly string[] {
  return isBlank(deepAt(settings, 'parameters', 'builtInTools')) ? [] : ['Not imported: built-in tools.'];
}

function roleOf(role: string): string {
  return role === 'system' || role === 'assistant' ? role : 'user';
}

/** Text Classifier: one output per category. */
const classifier = n8nNode({
  known: ['inputText', 'categories', 'options'],
  convert({ node, params, texts, context }) {
    const categories = categoriesOf(node);
    if (categories.length === 0) return { why: 'It has no categories.' };
    const lost: string[] = [];
    const described = categories.map((one) => `- ${one.category}: ${one.description}`).join('\n');
    const schema = {
      type: 'object',
      properties: { category: { type: 'string', enum: categories.map(({ category }) => category) } },
      required: ['category'],
    };
    const system = `Choose the category that fits the text best.\n\n${texts.text(described)}`;
    const config = { ...modelConfig(node, context, lost), output: { schema } };
    return { type: 'prompt', input: { system, prompt: texts.text(textAt(params, 'inputText')) }, config, lost };
  },
  passes: (_, node, context) => context.into(node).find(({ fromPort }) => /^\d+$/.test(fromPort)),
  when(port, node, context) {
    const category = categoriesOf(node)[Number(port)]?.category;
    return { equals: { var: `${context.idOf(node)}.value.category`, value: category ?? 'other' } };
  },
});

function categoriesOf({ settings }: SourceNode): readonly { category: string; description: string }[] {
  return mapsAt(deepAt(settings, 'parameters', 'categories'), 'categories').map((one) => ({
    category: textAt(one, 'category'),
    description: textAt(one, 'description'),
  }));
}

/** A node that is connected to another one as its model, parser or memory. */
export function n8nPart(node: SourceNode): TypeMapping | undefined {
  const name = node.type.replace(/^.*\./, '');
  const kind = /^lm/.test(name)
    ? 'model'
    : /^outputParser/.test(name)
      ? 'parser'
      : /^memory/.test(name)
        ? 'memory'
        : '';
  if (kind === '') return undefined;
  const ownerOf = (part: SourceNode, context: MappingContext): SourceNode | undefined => {
    const edge = context.from(part)[0];
    return edge === undefined ? undefined : context.node(edge.to);
  };
  return {
    isPart: (part, context) => ownerOf(part, context) !== undefined,
    map(part, context) {
      const owner = ownerOf(part, context);
      if (owner === undefined) return { as: 'placeholder', why: 'It is not connected to a node that uses it.' };
      return { as: 'part', of: owner.name, lost: lostOfPart(part, kind) };
    },
  };
}

function lostOfPart({ settings }: SourceNode, kind: string): readonly string[] {
  const params = mapAt(settings, 'parameters');
  if (kind === 'memory') return ['A flow has no memory. Use messages or a conversation.'];
  if (kind === 'parser') return schemaOf(params) === undefined ? ['Its format is not a schema.'] : [];
  const used = ['temperature', 'maxTokens', 'maxOutputTokens', 'topP'];
  const options = Object.keys(mapAt(params, 'options')).filter((name) => !used.includes(name));
  return [
    ...(options.length === 0 ? [] : [`Not imported: the options ${options.join(', ')}.`]),
    ...(Object.keys(mapAt(settings, 'credentials')).length === 0
      ? []
      : ['Not imported: its credentials. Set the key of the provider.']),
  ];
}

/** Mappings by the name of the type, without its prefix. */
export const n8nPromptTypes: Readonly<Record<string, TypeMapping>> = {
  agent: chain,
  chainLlm: chain,
  informationExtractor: chain,
  openAi,
  textClassifier: classifier,
};
