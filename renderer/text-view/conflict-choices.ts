/**
 * Buttons above each conflict that Git has left in a text. They keep one side of it.
 */
import type { editor } from 'monaco-editor/editor';
import { type ConflictPlace, conflictPlaces } from '../../engine/isomorphic.ts';
import type { FileModel } from './file-model.ts';
import { monaco } from './monaco.ts';
import { text } from './text.ts';

const heightPx = 28;
/** Enough for a person to decide about. Each has elements in the page. */
const mostPlaces = 200;

export interface ConflictChoices {
  /** Shows the buttons for the text of the editor. */
  update(): void;
}

/** @param onChoose called with the text of the file without the conflict */
export function createConflictChoices(
  view: editor.ICodeEditor,
  file: FileModel,
  onChoose: (text: string, label: string) => void,
): ConflictChoices {
  let zones: readonly string[] = [];
  let widgets: readonly editor.IContentWidget[] = [];
  let drawnFor = '';
  const choose = (place: ConflictPlace, side: 'ours' | 'theirs'): void => {
    const { text: current } = file;
    // The text has changed since the buttons were drawn. They are drawn again soon.
    if (current !== drawnFor) return;
    const label = side === 'ours' ? text.conflict.keepYours : text.conflict.keepTheirs;
    onChoose(current.slice(0, place.start) + place[side] + current.slice(place.end), label);
  };
  const buttonFor = (place: ConflictPlace, side: 'ours' | 'theirs', line: number): HTMLButtonElement => {
    const button = document.createElement('button');
    const { yours, theirs, yoursAt, theirsAt } = text.conflict;
    button.type = 'button';
    button.className = 'button';
    button.dataset['size'] = 'small';
    button.textContent = side === 'ours' ? yours : theirs;
    button.ariaLabel = (side === 'ours' ? yoursAt : theirsAt)({ line });
    button.addEventListener('click', () => choose(place, side));
    return button;
  };
  const widgetFor = (place: ConflictPlace): editor.IContentWidget => {
    const { lineNumber } = file.positionOf(place.start);
    const node = document.createElement('div');
    node.className = 'conflict-choices';
    node.append(buttonFor(place, 'ours', lineNumber), buttonFor(place, 'theirs', lineNumber));
    const preference = [monaco.editor.ContentWidgetPositionPreference.ABOVE];
    return {
      getId: () => `conflict-${lineNumber}`,
      getDomNode: () => node,
      getPosition: () => ({ position: { lineNumber, column: 1 }, preference }),
    };
  };
  return {
    update() {
      const places = conflictPlaces(file.text).slice(0, mostPlaces);
      if (places.length === 0 && widgets.length === 0) return;
      drawnFor = file.text;
      for (const widget of widgets) view.removeContentWidget(widget);
      widgets = places.map(widgetFor);
      // Screen readers skip zones, so that these only make room for the buttons.
      view.changeViewZones((all) => {
        for (const id of zones) all.removeZone(id);
        zones = places.map(({ start }) =>
          all.addZone({
            afterLineNumber: file.positionOf(start).lineNumber - 1,
            heightInPx: heightPx,
            domNode: document.createElement('div'),
          }),
        );
      });
      for (const widget of widgets) view.addContentWidget(widget);
    },
  };
}
