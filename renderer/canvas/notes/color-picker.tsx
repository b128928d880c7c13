import type { LayoutColor } from '../../../engine/isomorphic.ts';
import { colourChosen } from '../edit/note-edits.ts';
import { useEditor } from '../state/canvas-editor.ts';
import { text } from '../text.ts';
import './color-picker.css';

const colors: readonly LayoutColor[] = ['grey', 'blue', 'green', 'amber', 'red', 'violet'];

/** The color picker for the selected notes and groups. */
export function ColorPicker({ color }: { readonly color: LayoutColor }) {
  const editor = useEditor();
  return (
    <div className="color-picker nodrag nopan" role="toolbar" aria-label={text.colors.label}>
      {colors.map((name) => (
        <button
          key={name}
          type="button"
          className="color-swatch"
          data-color={name}
          aria-label={text.colors[name]}
          title={text.colors[name]}
          aria-pressed={name === color}
          onClick={() => void colourChosen(editor.current, name)}
        />
      ))}
    </div>
  );
}
