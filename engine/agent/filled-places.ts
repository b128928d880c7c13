/**
 * Where values stand in a filled prompt, for those who read what an agent would ask.
 */
import type { TemplatesCapability } from '../kernel/capabilities.ts';
import type { PromptPart } from './agent-doc.ts';
import { type PromptScope, renderMessages } from './prompt-messages.ts';

/** UTF-16 units of a message, from 0; the end is not included. */
export interface FilledPlace {
  readonly start: number;
  readonly end: number;
}

/** Two signs for private use. Where the values have them as well, no places are told. */
const [open, close] = ['\uE0F0', '\uE0F1'];

/** A tag that prints something; neither a block, nor its end, nor a comment, nor one that takes blanks away. */
const printing = /\{\{\{[^{}~]+\}\}\}|\{\{(?![#/^!>~]|\s*else\b)[^{}~]+\}\}/g;

/**
 * Fills the prompts once more, with marks around all that is printed. A part for which that gives another text than `filled`
 * has no places: nothing is told rather than something wrong.
 * @param filled the contents of the messages, in the order of the parts; those of blank parts are left out
 */
export async function filledPlaces(
  filled: readonly string[],
  parts: readonly PromptPart[],
  world: { readonly scope: PromptScope; readonly templates: TemplatesCapability },
): Promise<readonly (readonly FilledPlace[])[]> {
  const marked: string[] = [];
  for (const part of parts) {
    const content = await markedContent(part, world);
    if (content !== null && withoutMarks(content).trim() !== '') marked.push(content);
  }
  return filled.map((content, index) => {
    const places = placesOf(marked[index] ?? '');
    return withoutMarks(marked[index] ?? '') === content ? places : [];
  });
}

async function markedContent(
  { content, ...part }: PromptPart,
  { scope, templates }: { readonly scope: PromptScope; readonly templates: TemplatesCapability },
): Promise<string | null> {
  const withMarks = content.replace(printing, (tag) => `${open}${tag}${close}`);
  try {
    const { messages } = await renderMessages([{ ...part, content: withMarks }], scope, templates);
    return messages[0]?.content ?? null;
  } catch {
    // A tag in a place where marks change what it means; without them it could be filled.
    return content;
  }
}

function withoutMarks(content: string): string {
  return content.replaceAll(open, '').replaceAll(close, '');
}

/** Places in the text without marks. Values that are empty have none. */
function placesOf(content: string): readonly FilledPlace[] {
  const places: FilledPlace[] = [];
  let at = 0;
  let start: number | null = null;
  for (const piece of content.split(/([\uE0F0\uE0F1])/)) {
    if (piece === open) start = at;
    else if (piece !== close) at += piece.length;
    else if (start !== null && start < at) places.push({ start, end: at });
  }
  return places;
}
