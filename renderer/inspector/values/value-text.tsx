/**
 * Text of a value, and the line below a table or tree that names the selected part and shows it in full.
 */
import { Braces, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { MarkedText } from '../../card/marked-text.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { spaceWords } from '../../ui/space-marks.ts';
import { valueText } from './json-text.ts';
import { text as words } from './text.ts';

/** Number of characters of text that are rendered at first. The rest is rendered on demand. */
const textLimit = 20_000;

/** Text with its line breaks. Invisible characters, which could hide a part of it, are shown as their codes. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && text.length > textLimit;
  return (
    <>
      <div className="value-text" dir="auto" title={isCut ? undefined : spaceWords(text)} data-selectable>
        {isCut ? visibleText(text.slice(0, textLimit)) : <MarkedText text={text} hasLines />}
      </div>
      {isCut ? (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          {words.showAll({ count: text.length })}
        </Button>
      ) : null}
    </>
  );
}

interface StreamedTextProps {
  readonly text: string;
  /** Whether more is coming, which a caret shows. */
  readonly isLive: boolean;
}

/** Text as it streams. Of long text, only the end is rendered, because all of it is rendered again with each piece. */
export function StreamedText({ text, isLive }: StreamedTextProps) {
  const omitted = Math.max(0, text.length - textLimit);
  return (
    <>
      {omitted === 0 ? null : <p className="value-quiet">{words.earlier({ count: omitted })}</p>}
      <div className="value-text" dir="auto" data-selectable>
        {visibleText(text.slice(omitted))}
        {isLive ? <span className="stream-caret" /> : null}
      </div>
    </>
  );
}

/** The selected cell of a table or row of a tree. */
export interface ValuePart {
  readonly path: string;
  readonly value: unknown;
}

interface PartLineProps {
  /** Null if nothing is selected. */
  readonly part: ValuePart | null;
  /** Whether the path is that of a binding. */
  readonly isBinding: boolean;
  /** Whether the part is shown in full. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A line above the path. */
  readonly above?: ReactNode;
}

/** Returns the text to copy for a path. */
function copiedPath(path: string, isBinding: boolean): string {
  return isBinding ? `{{${path}}}` : path;
}

/** Copies the value with Mod+C, or its path with Shift+Alt+C. Returns whether the key was one of these. */
export function copyPart(event: KeyboardEvent, part: ValuePart | null, isBinding: boolean): boolean {
  if (event.code !== 'KeyC' || part === null) return false;
  const isValue = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  const isPath = event.shiftKey && event.altKey && !event.ctrlKey && !event.metaKey;
  if (!(isValue || isPath)) return false;
  void navigator.clipboard.writeText(isPath ? copiedPath(part.path, isBinding) : valueText(part.value));
  return true;
}

/** The path of the selected part with copy buttons, and the part in full if it is open. */
export function PartLine({ part, isBinding, isOpen, onClose, above = null }: PartLineProps) {
  if (part === null) return null;
  const { path, value } = part;
  return (
    <div className="value-part">
      {above}
      <div className="value-part-line">
        <bdi className="value-part-path" title={path}>
          {visibleText(path)}
        </bdi>
        {typeof value === 'string' ? (
          <span className="value-part-length">{words.characters({ count: value.length })}</span>
        ) : null}
        <CopyButton
          label={isBinding ? words.copyBinding : words.copyPath}
          icon={<Braces aria-hidden size={14} />}
          text={() => copiedPath(path, isBinding)}
        />
        <CopyButton label={words.copyPart} text={() => valueText(value)} />
        {isOpen ? (
          <IconButton label={words.closePart} onClick={onClose}>
            <X aria-hidden size={14} />
          </IconButton>
        ) : null}
      </div>
      {isOpen ? (
        <section className="value-part-whole" aria-label={words.wholePart}>
          <LongText key={path} text={valueText(value)} />
        </section>
      ) : null}
    </div>
  );
}
