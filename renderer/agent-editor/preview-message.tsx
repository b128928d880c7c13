/**
 * One message of a preview, as the model would receive it.
 */
import { Code } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { AgentPreview } from '../stores/agents/agent-previews.ts';
import { Button, IconButton } from '../ui/button.tsx';
import type { MarkdownPlugins } from '../ui/markdown-text.tsx';
import { roleNames } from './preview-words.ts';
import { text } from './text.ts';
import { estimateTokens } from './token-estimate.ts';
import './preview-message.css';

/** Range of the prompt in UTF-16 code units, from 0; the end is exclusive. */
interface Filled {
  readonly start: number;
  readonly end: number;
}

/** A node of the markdown parser. */
interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
  data?: { hName?: string; hProperties?: { className: string } };
}

/** CSS class of a filled-in block. */
const blockClass = 'prompt-filled-block';
const pieceClass = 'prompt-filled';

const blocks: ReadonlySet<string> = new Set(['paragraph', 'heading', 'code', 'blockquote', 'list', 'table']);

function placeOf({ position }: MarkdownNode): Filled | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? null : { start, end };
}

function isFilled(node: MarkdownNode, filled: readonly Filled[]): boolean {
  const place = placeOf(node);
  return place !== null && filled.some(({ start, end }) => start <= place.start && place.end <= end);
}

function markBlock(node: MarkdownNode): void {
  node.data = { ...node.data, hProperties: { className: blockClass } };
}

function markOf(child: MarkdownNode): MarkdownNode {
  return { type: 'emphasis', children: [child], data: { hName: 'mark', hProperties: { className: pieceClass } } };
}

/**
 * Returns the position in the source of each code unit of a text; the source has additional characters, such as
 * backslashes. Null if unknown.
 */
function offsetsOf(value: string, source: string, { start, end }: Filled): number[] | null {
  const offsets: number[] = [];
  let at = start;
  for (let index = 0; index < value.length; index += 1) {
    while (at < end && source[at] !== value[index]) at += 1;
    if (at === end) return null;
    offsets.push(at);
    at += 1;
  }
  return offsets;
}

/** Splits text into pieces and marks those that were filled in. */
function piecesOf(node: MarkdownNode, source: string, filled: readonly Filled[]): MarkdownNode[] {
  const place = placeOf(node);
  const { value = '' } = node;
  const offsets = place === null ? null : offsetsOf(value, source, place);
  if (offsets === null) return [node];
  const pieces: { text: string; isFilled: boolean }[] = [];
  for (const [index, offset] of offsets.entries()) {
    const isIn = filled.some(({ start, end }) => start <= offset && offset < end);
    const last = pieces.at(-1);
    if (last?.isFilled === isIn) last.text += value[index];
    else pieces.push({ text: value[index] ?? '', isFilled: isIn });
  }
  return pieces.map((piece) => {
    const child = { type: 'text', value: piece.text };
    return piece.isFilled ? markOf(child) : child;
  });
}

/** A list item has no separate element around its text. */
function isFilledPoint(node: MarkdownNode, filled: readonly Filled[]): boolean {
  const { type, children = [] } = node;
  return type === 'listItem' && children.length > 0 && children.every((child) => isFilled(child, filled));
}

function markIn(parent: MarkdownNode, source: string, filled: readonly Filled[]): void {
  if (parent.children === undefined) return;
  parent.children = parent.children.flatMap((node): MarkdownNode[] => {
    if (blocks.has(node.type) ? isFilled(node, filled) : isFilledPoint(node, filled)) {
      markBlock(node);
      return [node];
    }
    if (node.type === 'text') return piecesOf(node, source, filled);
    const isPiece = node.children === undefined || node.type === 'strong' || node.type === 'emphasis';
    if (isPiece && isFilled(node, filled)) return [markOf(node)];
    markIn(node, source, filled);
    return [node];
  });
}

/** Returns the plugins that render a filled prompt as markdown. @param filled ranges of values in `prompt` */
function promptPlugins(prompt: string, filled: readonly Filled[]): MarkdownPlugins {
  const markFilled = () => (tree: MarkdownNode) => markIn(tree, prompt, filled);
  return [markFilled] as MarkdownPlugins;
}

type Message = AgentPreview['messages'][number];

const MarkdownText = lazy(async () => ({ default: (await import('../ui/markdown-text.tsx')).MarkdownText }));

/** Number of characters of a message that are shown before it is expanded. */
const longMessage = 4_000;

/** The message as markdown with filled-in values marked. */
function Rendered({ prompt, filled = [] }: { prompt: string; filled?: Message['filled'] }) {
  const plugins = useMemo(() => promptPlugins(prompt, filled), [prompt, filled]);
  return (
    <Suspense fallback={<p className="preview-text">{prompt}</p>}>
      <div className="preview-markdown">
        <MarkdownText text={prompt} plugins={plugins} />
      </div>
    </Suspense>
  );
}

export function PreviewMessage({ message }: { message: Message }) {
  const [isWhole, setIsWhole] = useState(false);
  const [isRaw, setIsRaw] = useState(false);
  const { role, content, isCached, attachments, filled } = message;
  const prompt = content.trimEnd();
  const isCut = !isWhole && prompt.length > longMessage;
  const shown = isCut ? prompt.slice(0, longMessage) : prompt;
  const count = estimateTokens(prompt);
  return (
    <section className="preview-part" aria-label={roleNames[role]}>
      <header className="preview-part-head">
        <h3>{roleNames[role]}</h3>
        <span>{isCached ? text.message.cachedTokens({ count }) : text.message.tokens({ count })}</span>
        <IconButton label={text.message.plainText} aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
          <Code aria-hidden size={12} />
        </IconButton>
      </header>
      {isRaw ? (
        <pre className="preview-text preview-raw">{shown}</pre>
      ) : (
        <Rendered prompt={shown} {...(filled === undefined ? {} : { filled })} />
      )}
      {isCut ? (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          {text.message.showMore({ count: prompt.length - longMessage })}
        </Button>
      ) : null}
      {attachments.length === 0 ? null : (
        <p className="preview-quiet">{text.message.attachments({ names: attachments.join(', ') })}</p>
      )}
    </section>
  );
}
