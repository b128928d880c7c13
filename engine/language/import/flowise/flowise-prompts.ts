/** Flowise nodes that call models. */
import { parseJson } from '../../json/exact-json.ts';
import { isJsonMap, type JsonMap } from '../../json/json-value.ts';
import type { TypeMapping } from '../mapping.ts';
import { modelName } from '../models.ts';
import { at, defined, entryOf, isBlank, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding } from '../texts.ts';
import { flowiseNode, placeOf } from './flowise-node.ts';
import { textOfHtml } from './flowise-texts.ts';

/** Returns the config of a node's model, whose settings have the node's prefix. */
function modelConfig(settings: JsonMap, prefix: string, lost: string[]): JsonMap {
  const type = textAt(settings, `${prefix}Model`);
  const config = mapAt(settings, `${prefix}ModelConfig`);
  const name = textAt(config, 'customModelName') || textAt(config, 'modelName');
  const model = modelName(type, name);
  if (model === undefined) lost.push(`Its model ${name || type} was not imported. The default model is used.`);
  const maxTokens = numberAt(config, 'maxTokens') ?? numberAt(config, 'maxOutputTokens');
  return defined({
    model,
    temperature: numberAt(config, 'temperature'),
    top_p: numberAt(config, 'topP'),
    maxTokens: maxTokens !== undefined && maxTokens >= 1 ? maxTokens : undefined,
  });
}

const fieldTypes: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean', stringArray: 'array' };

function structuredSchema(fields: readonly JsonMap[]): JsonMap {
  const properties = fields.map((field) => [textAt(field, 'key'), fieldSchema(field)] as const);
  return { type: 'object', properties: Object.fromEntries(properties), required: properties.map(([key]) => key) };
}

function fieldSchema(field: JsonMap): JsonMap {
  const type = textAt(field, 'type');
  const description = textAt(field, 'description');
  const described = description === '' ? {} : { description };
  if (type === 'enum') {
    const values = textAt(field, 'enumValues')
      .split(',')
      .map((value) => value.trim());
    return { type: 'string', enum: values, ...described };
  }
  if (type === 'jsonArray') {
    const properties = parseJson(textAt(field, 'jsonSchema'));
    return { type: 'array', items: { type: 'object', ...(isJsonMap(properties) ? { properties } : {}) }, ...described };
  }
  if (type === 'stringArray') return { type: 'array', items: { type: 'string' }, ...described };
  return { type: entryOf(fieldTypes, type) ?? 'string', ...described };
}

/** LLM and Agent nodes: their settings have different prefixes. */
function promptNode(prefix: 'llm' | 'agent'): TypeMapping {
  return flowiseNode({
    convert({ settings, texts }) {
      const lost: string[] = [];
      const written = mapsAt(settings, `${prefix}Messages`).map((message) => ({
        role: ['assistant', 'user'].includes(textAt(message, 'role')) ? textAt(message, 'role') : 'system',
        content: texts.text(at(message, 'content')),
      }));
      const user = texts.text(at(settings, `${prefix}UserMessage`));
      const last = user === '' ? binding(['flow', 'input', 'question']) : user;
      const needsUser = written.at(-1)?.role !== 'user' || user !== '';
      const messages = needsUser ? [...written, { role: 'user', content: last }] : written;
      const fields = mapsAt(settings, `${prefix}StructuredOutput`);
      const config = {
        ...modelConfig(settings, prefix, lost),
        ...(fields.length === 0 ? {} : { output: { schema: structuredSchema(fields) } }),
      };
      lost.push(...lostOfPrompt(settings, prefix));
      return { type: 'prompt', input: { messages }, config, lost };
    },
    at({ rest }, node, context) {
      const isStructured = mapsAt(node.settings, `${prefix}StructuredOutput`).length > 0;
      if (isStructured && rest.length > 0) return [context.idOf(node), 'value', ...rest];
      return rest.length === 0 || rest[0] === 'content' ? [context.idOf(node), 'text'] : undefined;
    },
  });
}

function lostOfPrompt(settings: JsonMap, prefix: string): readonly string[] {
  const tools = mapsAt(settings, `${prefix}Tools`).map((tool) => textAt(tool, `${prefix}SelectedTool`));
  const knowledge = ['KnowledgeDocumentStores', 'KnowledgeVSEmbeddings'].some(
    (key) => !isBlank(at(settings, `${prefix}${key}`)),
  );
  return [
    ...(tools.length === 0 ? [] : [`Not imported: the tools ${tools.join(', ')}. Add tools to the prompt.`]),
    ...(knowledge ? ['Not imported: its document stores. Use a service through a tool or http.request.'] : []),
    ...(at(settings, `${prefix}EnableMemory`) === true
      ? ['Not imported: the memory of the chat. Use messages or a conversation.']
      : []),
  ];
}

function scenariosOf({ settings }: SourceNode): readonly string[] {
  return mapsAt(settings, 'conditionAgentScenarios').map((one) => textOfHtml(textAt(one, 'scenario')));
}

/** Condition Agent: a model chooses one of the scenarios. */
const conditionAgent = flowiseNode({
  convert({ node, settings, texts }) {
    const scenarios = [...new Set(scenariosOf(node))];
    if (scenarios.length === 0) return { why: 'It has no scenarios.' };
    const lost: string[] = [];
    const schema = {
      type: 'object',
      properties: { scenario: { type: 'string', enum: scenarios } },
      required: ['scenario'],
    };
    const instructions = texts.text(at(settings, 'conditionAgentInstructions'));
    const system = `${instructions}\n\nChoose the scenario that fits best.`.trimStart();
    const prompt = texts.text(at(settings, 'conditionAgentInput')) || binding(['flow', 'input', 'question']);
    const config = { ...modelConfig(settings, 'conditionAgent', lost), output: { schema } };
    return { type: 'prompt', input: { system, prompt }, config, lost };
  },
  at: ({ rest }, node, context) => [context.idOf(node), 'value', ...rest],
  when: (port, node, context) => ({
    equals: { var: `${context.idOf(node)}.value.scenario`, value: scenariosOf(node)[placeOf(port)] ?? '' },
  }),
});

/** Mappings by type. */
export const flowisePrompts: Readonly<Record<string, TypeMapping>> = {
  llmAgentflow: promptNode('llm'),
  agentAgentflow: promptNode('agent'),
  conditionAgentAgentflow: conditionAgent,
};
