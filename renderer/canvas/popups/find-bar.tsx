/**
 * Finds text in the nodes of a flow, and replaces it.
 */
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { findNodes, findTriggers, lastQuery, noteQuery, replaceInFlow, stepToMatch } from '../edit/find-in-flow.ts';
import { allOf } from '../edit/parts-text.ts';

import { useEditor } from '../state/canvas-editor.ts';
import { useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import { focusCanvas } from './keep-focus.ts';
import './find-bar.css';

export function FindBar({ doc }: { readonly doc: FlowDoc }) {
  const bar = useInteraction((interaction) => interaction.bar);
  return bar === 'find' || bar === 'replace' ? <OpenBar key={bar} doc={doc} withReplace={bar === 'replace'} /> : null;
}

/** Triggers are counted only if some match, because most flows have none. */
function countText({ length: count }: readonly string[], triggers: readonly string[]): string {
  const nodes = text.parts.nodes({ count });
  if (triggers.length === 0) return nodes;
  return allOf([...(count === 0 ? [] : [nodes]), text.parts.triggers({ count: triggers.length })]);
}

function OpenBar({ doc, withReplace }: { readonly doc: FlowDoc; readonly withReplace: boolean }) {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const [query, setQuery] = useState(lastQuery());
  const [by, setBy] = useState('');
  const found = useMemo(() => findNodes(doc, query), [doc, query]);
  const triggers = useMemo(() => findTriggers(doc, query), [doc, query]);
  const count = found.length + triggers.length;
  const replacement = useMemo(
    () => (withReplace ? replaceInFlow(doc, query, by) : { nodeCount: 0, change: null }),
    [doc, query, by, withReplace],
  );
  useEffect(
    () => interaction.setState({ found: new Set(found), foundTriggers: new Set(triggers) }),
    [interaction, found, triggers],
  );
  useEffect(() => () => interaction.setState({ found: new Set(), foundTriggers: new Set() }), [interaction]);
  const close = (): void => {
    interaction.setState({ bar: null });
    focusCanvas(document.activeElement);
  };
  const step = (by: 1 | -1): void => stepToMatch(editor.current, by);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'F3' || (event.key === 'Enter' && event.target instanceof HTMLInputElement))
      step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      className="find-bar nopan nodrag nowheel"
      data-command-keys="canvas.find edit.replace"
      aria-label={text.find.label}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
    >
      <div className="find-row">
        <input
          // biome-ignore lint/a11y/noAutofocus: it opens when the user asks to search
          autoFocus
          aria-label={text.find.field}
          placeholder={text.find.placeholder}
          spellCheck={false}
          value={query}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setQuery(event.target.value);
            noteQuery(event.target.value);
          }}
        />
        <output className="find-count">{query.trim() === '' ? '' : countText(found, triggers)}</output>
        <IconButton
          label={text.find.previous}
          hint={text.find.previousKeys}
          disabled={count === 0}
          onClick={() => step(-1)}
        >
          <ChevronUp aria-hidden size={14} />
        </IconButton>
        <IconButton label={text.find.next} hint="F3" disabled={count === 0} onClick={() => step(1)}>
          <ChevronDown aria-hidden size={14} />
        </IconButton>
        <IconButton label={text.find.close} hint={text.find.closeKey} onClick={close}>
          <X aria-hidden size={14} />
        </IconButton>
      </div>
      {withReplace ? (
        <div className="find-row">
          <input
            aria-label={text.find.replaceWith}
            placeholder={text.find.replaceWith}
            spellCheck={false}
            value={by}
            onChange={(event) => setBy(event.target.value)}
          />
          <Button
            size="small"
            disabled={replacement.change === null}
            onClick={() => {
              if (replacement.change !== null) void editor.current.change(replacement.change);
            }}
          >
            {text.undo.replace({ count: replacement.nodeCount })}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
