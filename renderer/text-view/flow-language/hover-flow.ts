/**
 * What there is to say about a place of a flow file.
 */

import { outputSteps } from '../../stores/flow/binding-candidates.ts';
import type { FlowKnowledge } from './complete-flow.ts';
import { type Entry, entryPath, type Token } from './entry.ts';
import { type FlowIndex, mentionAt, type NodePlace } from './flow-index.ts';
import { describe, knownValues, schemasOf } from './schema-walk.ts';
import { innermostAt } from './yaml-cursor.ts';

/** Words on a stretch of the text, as paragraphs of Markdown. */
interface HoverText {
  readonly start: number;
  readonly end: number;
  readonly paragraphs: readonly string[];
}

/**
 * What there is to say about an offset; undefined when it is nothing.
 * @param summaryOf the sentence on a node's card
 */
export function hoverFlow(
  index: FlowIndex,
  offset: number,
  knowledge: FlowKnowledge & { summaryOf(id: string): string | undefined },
): HoverText | undefined {
  const mention = mentionAt(index, offset);
  const node = mention === undefined ? undefined : index.nodes.find(({ id }) => id === mention.text);
  if (mention !== undefined && node !== undefined) {
    return textOf(mention, [...aboutNode(node, knowledge.catalog), knowledge.summaryOf(node.id) ?? '']);
  }
  const entry = innermostAt(index.root, offset);
  if (entry.key !== null && isWithin(entry.key, offset)) {
    const schemas = schemasOf(knowledge.schema, entry);
    return textOf(entry.key, [
      `**${entry.key.text}**`,
      describe(schemas.slice(0, 1)) || describe(schemas),
      valuesOf(entry, knowledge),
    ]);
  }
  return entry.value !== null && isWithin(entry.value, offset) ? aboutValue(entry, entry.value, knowledge) : undefined;
}

function aboutNode({ id, type }: NodePlace, catalog: FlowKnowledge['catalog']): readonly string[] {
  const fields = outputSteps(type, catalog).map(({ name, detail, description }) => {
    return `- \`${id}.${name}\`${detail === '' ? '' : ` ${detail}`}${description === '' ? '' : `: ${description}`}`;
  });
  return [`**${id}** · ${catalog.get(type)?.title ?? type}`, fields.join('\n')];
}

function aboutValue(entry: Entry, value: Token, { schema }: FlowKnowledge): HoverText | undefined {
  const known = knownValues(schemasOf(schema, entry)).find(({ text }) => text === value.text);
  return known === undefined ? undefined : textOf(value, [`**${known.title || known.text}**`, known.description]);
}

/** The values that a key takes, where they are few. Types of nodes are many, and each is explained at its own place. */
function valuesOf(entry: Entry, { schema }: FlowKnowledge): string {
  const values = entryPath(entry).at(-1) === 'type' ? [] : knownValues(schemasOf(schema, entry));
  return values.length === 0 ? '' : `One of ${values.map(({ text }) => `\`${text}\``).join(', ')}.`;
}

function isWithin({ start, end }: Token, offset: number): boolean {
  return start <= offset && offset <= end;
}

function textOf({ start, end }: Token, paragraphs: readonly string[]): HoverText | undefined {
  const filled = paragraphs.filter((paragraph) => paragraph !== '');
  return filled.length < 2 ? undefined : { start, end, paragraphs: filled };
}
