/**
 * How the editor looks and behaves: kept at once, for all windows.
 */
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { EditorSettings, ThemeChoice } from '../stores/window/settings.ts';

import { Button } from '../ui/button.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';

interface RowProps {
  readonly label: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Row({ label, note, children }: RowProps) {
  return (
    <div className="settings-row">
      <div>
        <b>{label}</b>
        <p className="settings-note">{note}</p>
      </div>
      {children}
    </div>
  );
}

interface SwitchRowProps extends Omit<RowProps, 'children'> {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function SwitchRow({ label, note, isOn, onChange }: SwitchRowProps) {
  const noteId = useId();
  return (
    <div className="settings-row">
      <div>
        <b aria-hidden>{label}</b>
        <p id={noteId} className="settings-note">
          {note}
        </p>
      </div>
      <Switch checked={isOn} aria-label={label} aria-describedby={noteId} onCheckedChange={onChange} />
    </div>
  );
}

function useSetting<Name extends keyof EditorSettings>(name: Name): EditorSettings[Name] {
  return useStore(useStores().editorSettings, (settings) => settings[name]);
}

function ThemeRow() {
  const { settings, main, notices } = useStores();
  const theme = useStore(settings, (state) => state.theme);
  const choose = (next: ThemeChoice): void => {
    main
      .call('settings.setTheme', { theme: next })
      .catch((error: unknown) => notices.getState().addError('The theme could not be changed', error));
  };
  return (
    <Row label="Theme" note="Light, dark, or as the system is at the moment.">
      <Segmented<ThemeChoice>
        label="Theme"
        value={theme}
        onChange={choose}
        options={[
          { value: 'system', text: 'System' },
          { value: 'light', text: 'Light' },
          { value: 'dark', text: 'Dark' },
        ]}
      />
    </Row>
  );
}

function ZoomRow() {
  const { main, notices } = useStores();
  const [factor, setFactor] = useState<number | null>(null);
  useEffect(() => {
    main.call('zoom.set', {}).then(
      (answer) => setFactor(answer.factor),
      (error: unknown) => notices.getState().addError('The size is not known', toErrorRecord(error)),
    );
  }, [main, notices]);
  const change = async (to: 'in' | 'out' | 'reset'): Promise<void> => {
    try {
      setFactor((await main.call('zoom.set', { change: to })).factor);
    } catch (error) {
      notices.getState().addError('The size could not be changed', error);
    }
  };
  return (
    <Row label="Size of everything" note="Draws text, buttons and canvas larger or smaller.">
      <div className="settings-zoom">
        <Button aria-label="Smaller" onClick={() => void change('out')}>
          −
        </Button>
        <output aria-label="Size">{factor === null ? '' : `${Math.round(factor * 100)} %`}</output>
        <Button aria-label="Larger" onClick={() => void change('in')}>
          +
        </Button>
        <Button variant="ghost" onClick={() => void change('reset')}>
          Reset
        </Button>
      </div>
    </Row>
  );
}

function LookSettings() {
  const density = useSetting('density');
  const contrast = useSetting('contrast');
  const change = useSetting('change');
  return (
    <section className="settings-group" aria-label="Looks">
      <h3 className="settings-heading">Looks</h3>
      <ThemeRow />
      <Row label="Density" note="Compact shows more rows in lists and forms.">
        <Segmented
          label="Density"
          value={density}
          onChange={(next) => void change({ density: next })}
          options={[
            { value: 'comfortable', text: 'Comfortable' },
            { value: 'compact', text: 'Compact' },
          ]}
        />
      </Row>
      <Row label="Contrast" note="High draws text and borders stronger; also when the system asks for it.">
        <Segmented
          label="Contrast"
          value={contrast}
          onChange={(next) => void change({ contrast: next })}
          options={[
            { value: 'normal', text: 'Normal' },
            { value: 'high', text: 'High' },
          ]}
        />
      </Row>
      <ZoomRow />
    </section>
  );
}

function CanvasSettings() {
  const wheel = useSetting('wheel');
  const snap = useSetting('snap');
  const guides = useSetting('guides');
  const change = useSetting('change');
  return (
    <section className="settings-group" aria-label="Canvas">
      <h3 className="settings-heading">Canvas</h3>
      <Row label="Mouse wheel" note="What turning it does; with Ctrl or Cmd it always zooms.">
        <Segmented
          label="Mouse wheel"
          value={wheel}
          onChange={(next) => void change({ wheel: next })}
          options={[
            { value: 'pan', text: 'Moves' },
            { value: 'zoom', text: 'Zooms' },
          ]}
        />
      </Row>
      <SwitchRow
        label="Snap to the grid"
        note="Nodes that are moved come to lie on it; with Ctrl or Cmd held they do not."
        isOn={snap}
        onChange={(isOn) => void change({ snap: isOn })}
      />
      <SwitchRow
        label="Guides"
        note="Lines show where a node that is moved lies level with others."
        isOn={guides}
        onChange={(isOn) => void change({ guides: isOn })}
      />
    </section>
  );
}

/** `onShortcuts` opens the list of shortcuts, in which they can be changed. */
export function EditorTab({ onShortcuts }: { readonly onShortcuts: () => void }) {
  return (
    <div className="settings-part">
      <LookSettings />
      <CanvasSettings />
      <section className="settings-group" aria-label="Keyboard">
        <h3 className="settings-heading">Keyboard</h3>
        <Row label="Shortcuts" note="See them all, and choose other keys.">
          <Button onClick={onShortcuts}>Keyboard shortcuts…</Button>
        </Row>
      </section>
    </div>
  );
}
