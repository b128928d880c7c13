/**
 * Asks how to align the selection, by the second key of a chord or by a click.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Alignment } from '../../stores/window/canvases.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { align } from '../edit/node-edits.ts';
import { useEditor } from '../state/canvas-editor.ts';
import { useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import './align-popup.css';

const choices: readonly (readonly [key: string, to: Alignment, title: string, least: number])[] = [
  ['L', 'left', text.align.left, 2],
  ['R', 'right', text.align.right, 2],
  ['T', 'top', text.align.top, 2],
  ['B', 'bottom', text.align.bottom, 2],
  ['C', 'centre', text.align.center, 2],
  ['M', 'middle', text.align.middle, 2],
  ['H', 'spread-across', text.align.across, 3],
  ['V', 'spread-down', text.align.down, 3],
];

export function AlignPopup() {
  const isOpen = useInteraction(({ bar }) => bar === 'align');
  return isOpen ? <OpenPopup /> : null;
}

function OpenPopup() {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const popup = useRef<HTMLDivElement>(null);
  const count = editor.current.selection.ids.size;
  const close = (): void => interaction.setState({ bar: null });
  const choose = (to: Alignment): void => {
    close();
    void align(editor.current, to);
  };
  useLayoutEffect(() => popup.current?.focus(), []);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && popup.current?.contains(target) !== true) interaction.setState({ bar: null });
    };
    addEventListener('pointerdown', onPointerDown, { capture: true });
    return () => removeEventListener('pointerdown', onPointerDown, { capture: true });
  }, [interaction]);
  return (
    <div
      className="align-popup nopan"
      ref={popup}
      role="menu"
      aria-label={text.align.label}
      tabIndex={-1}
      onKeyDown={(event) => {
        event.stopPropagation();
        const choice = choices.find(([key]) => key === event.key.toUpperCase());
        if (choice !== undefined && count >= choice[3]) choose(choice[1]);
        else if (event.key === 'Escape') close();
      }}
    >
      {choices.map(([key, to, title, least]) => (
        <button key={key} type="button" role="menuitem" disabled={count < least} onClick={() => choose(to)}>
          {title}
          <Kbd keys={key} />
        </button>
      ))}
    </div>
  );
}
