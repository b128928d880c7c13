/**
 * Which types of nodes suit the node before them.
 */
import { z } from 'zod';
import { parseTemplate } from '../flowspec/binding-template.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { NodeTypeSpec } from '../flowspec/node-type-spec.ts';
import { givenFields, type NodeBefore, starterNode } from './starter-node.ts';

/** 2: it needs what the node before gives, 1: it takes that as well, or anything, 0: neither. */
export type NodeFit = 0 | 1 | 2;

const sourceId = 'before';

/** How well a new node of a type works on the output of another: judged by the input that it would begin with. */
export function nodeFit(spec: NodeTypeSpec, before: Omit<NodeBefore, 'id'>): NodeFit {
  const given = new Map(givenFields(before).map(({ name, type }) => [name, type]));
  const { input } = starterNode(spec, 'new', { ...before, id: sourceId });
  const { properties, required } = z.toJSONSchema(spec.inputSchema, { io: 'input', unrepresentable: 'any' }) as JsonMap;
  let best: NodeFit = 0;
  for (const [name, value] of Object.entries(input)) {
    const field = typeof value === 'string' ? boundField(value) : undefined;
    if (field === undefined) continue;
    const schema = isJsonMap(properties) ? properties[name] : undefined;
    const isNeeded = isJsonList(required) && required.includes(name);
    const fit = fitOf({ wanted: isJsonMap(schema) ? schema['type'] : undefined, given: given.get(field), isNeeded });
    if (fit > best) best = fit;
  }
  return best;
}

function boundField(text: string): string | undefined {
  for (const part of parseTemplate(text).parts) {
    if (typeof part !== 'string' && part.path[0] === sourceId) return part.path[1];
  }
  return undefined;
}

interface Meeting {
  /** Types in the schemas; undefined = any. */
  readonly wanted: JsonValue | undefined;
  readonly given: JsonValue | undefined;
  readonly isNeeded: boolean;
}

function fitOf({ wanted, given, isNeeded }: Meeting): NodeFit {
  if (wanted === undefined || given === undefined) return 1;
  if (wanted !== given) return 0;
  return isNeeded ? 2 : 1;
}
