/**
 * Settings for the appearance and behavior of the editor. Saved immediately, for all windows.
 */
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { EditorSettings, ThemeSettings } from '../stores/window/settings.ts';
import { Button } from '../ui/button.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';
import { text } from './text.ts';

const words = text.editor;

interface EditorSettingRowProps {
  readonly label: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Row({ label, note, children }: EditorSettingRowProps) {
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

interface SwitchRowProps extends Omit<EditorSettingRowProps, 'children'> {
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
  const choose = (next: ThemeSettings['theme']): void => {
    main
      .call('settings.setTheme', { theme: next })
      .catch((error: unknown) => notices.getState().addError(words.themeFailed, error));
  };
  return (
    <Row label={words.theme} note={words.themeNote}>
      <Segmented<ThemeSettings['theme']>
        label={words.theme}
        value={theme}
        onChange={choose}
        options={[
          { value: 'system', text: words.themeSystem },
          { value: 'light', text: words.themeLight },
          { value: 'dark', text: words.themeDark },
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
      (error: unknown) => notices.getState().addError(words.zoomUnknown, toErrorRecord(error)),
    );
  }, [main, notices]);
  const change = async (to: 'in' | 'out' | 'reset'): Promise<void> => {
    try {
      setFactor((await main.call('zoom.set', { change: to })).factor);
    } catch (error) {
      notices.getState().addError(words.zoomFailed, error);
    }
  };
  return (
    <Row label={words.zoom} note={words.zoomNote}>
      <div className="settings-zoom">
        <Button aria-label={words.zoomOut} onClick={() => void change('out')}>
          −
        </Button>
        <output aria-label={words.zoom}>
          {factor === null ? '' : words.zoomValue({ percent: Math.round(factor * 100) })}
        </output>
        <Button aria-label={words.zoomIn} onClick={() => void change('in')}>
          +
        </Button>
        <Button variant="ghost" onClick={() => void change('reset')}>
          {words.zoomReset}
        </Button>
      </div>
    </Row>
  );
}

function LanguageRow() {
  const language = useSetting('language');
  const change = useSetting('change');
  return (
    <Row label={words.language} note={words.languageNote}>
      <Segmented
        label={words.language}
        value={language}
        onChange={(next) => void change({ language: next })}
        options={[
          { value: 'en', text: words.english },
          { value: 'de', text: words.german },
        ]}
      />
    </Row>
  );
}

function LookSettings() {
  const density = useSetting('density');
  const contrast = useSetting('contrast');
  const change = useSetting('change');
  return (
    <section className="settings-group" aria-label={words.looks}>
      <h3 className="settings-heading">{words.looks}</h3>
      <ThemeRow />
      <Row label={words.density} note={words.densityNote}>
        <Segmented
          label={words.density}
          value={density}
          onChange={(next) => void change({ density: next })}
          options={[
            { value: 'comfortable', text: words.comfortable },
            { value: 'compact', text: words.compact },
          ]}
        />
      </Row>
      <Row label={words.contrast} note={words.contrastNote}>
        <Segmented
          label={words.contrast}
          value={contrast}
          onChange={(next) => void change({ contrast: next })}
          options={[
            { value: 'normal', text: words.contrastNormal },
            { value: 'high', text: words.contrastHigh },
          ]}
        />
      </Row>
      <ZoomRow />
      <LanguageRow />
    </section>
  );
}

function CanvasSettings() {
  const wheel = useSetting('wheel');
  const snap = useSetting('snap');
  const guides = useSetting('guides');
  const change = useSetting('change');
  return (
    <section className="settings-group" aria-label={words.canvas}>
      <h3 className="settings-heading">{words.canvas}</h3>
      <Row label={words.wheel} note={words.wheelNote}>
        <Segmented
          label={words.wheel}
          value={wheel}
          onChange={(next) => void change({ wheel: next })}
          options={[
            { value: 'pan', text: words.wheelPan },
            { value: 'zoom', text: words.wheelZoom },
          ]}
        />
      </Row>
      <SwitchRow
        label={words.snap}
        note={words.snapNote}
        isOn={snap}
        onChange={(isOn) => void change({ snap: isOn })}
      />
      <SwitchRow
        label={words.guides}
        note={words.guidesNote}
        isOn={guides}
        onChange={(isOn) => void change({ guides: isOn })}
      />
    </section>
  );
}

function NoticeSettings() {
  const runNotices = useSetting('runNotices');
  const change = useSetting('change');
  return (
    <section className="settings-group" aria-label={words.notices}>
      <h3 className="settings-heading">{words.notices}</h3>
      <SwitchRow
        label={words.runNotices}
        note={words.runNoticesNote}
        isOn={runNotices}
        onChange={(isOn) => void change({ runNotices: isOn })}
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
      <NoticeSettings />
      <section className="settings-group" aria-label={words.keyboard}>
        <h3 className="settings-heading">{words.keyboard}</h3>
        <Row label={words.shortcuts} note={words.shortcutsNote}>
          <Button onClick={onShortcuts}>{words.openShortcuts}</Button>
        </Row>
      </section>
    </div>
  );
}
