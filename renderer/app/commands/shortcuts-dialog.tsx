/**
 * The list of shortcuts, generated from the commands. Shortcuts can be searched and changed, and conflicts are shown.
 */
import { type KeyboardEvent, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import type { Command } from './command.ts';
import { useCommandContext } from './command-context.tsx';
import { commands } from './commands.ts';
import { type CustomKeys, isMac, keyConflicts, keysOf } from './keymap.ts';
import { printShortcut, shortcutOf } from './shortcut.ts';
import './shortcuts-dialog.css';
import { text } from './text.ts';

const words = text.shortcuts;
const list: readonly Command[] = commands;
const groups = [...new Set(list.map(({ group }) => group))];
const titles = new Map(list.map(({ id, title }) => [id, title]));

function print(shortcut: string): string {
  return printShortcut(shortcut, isMac);
}

function matches(command: Command, custom: CustomKeys, query: string): boolean {
  const searched = [command.title, command.group, ...keysOf(command, custom).map(print)].join(' ');
  return searched.toLowerCase().includes(query.trim().toLowerCase());
}

interface RecorderProps {
  readonly command: Command;
  readonly onDone: (keys: string | null) => void;
  readonly onCancel: () => void;
}

/** Waits for the user to press the keys for a command. */
function Recorder({ command, onDone, onCancel }: RecorderProps) {
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Backspace' || event.key === 'Delete') onDone(null);
    else {
      const keys = shortcutOf(event, isMac);
      if (keys !== null) onDone(keys);
    }
  };
  return (
    <input
      className="shortcuts-recorder"
      data-own-escape
      aria-label={words.newKeys({ command: command.title })}
      placeholder={words.pressKeys}
      readOnly
      // biome-ignore lint/a11y/noAutofocus: it appears at the user's request
      autoFocus
      onKeyDown={press}
      onBlur={onCancel}
    />
  );
}

interface ShortcutRowProps {
  readonly command: Command;
  readonly custom: CustomKeys;
  /** Other commands with the same shortcut. */
  readonly rivals: readonly string[];
}

function ShortcutRow({ command, custom, rivals }: ShortcutRowProps) {
  const { editorSettings } = useStores();
  const [isRecording, setIsRecording] = useState(false);
  const keys = keysOf(command, custom);
  const choose = (next: string | null | undefined): void => {
    const { [command.id]: _, ...others } = custom;
    setIsRecording(false);
    void editorSettings.getState().change({ keys: next === undefined ? others : { ...others, [command.id]: next } });
  };
  return (
    <div className="shortcuts-row">
      <dt>
        {command.title}
        {rivals.length === 0 ? null : (
          <span className="shortcuts-conflict">
            {words.sameKeys({ commands: rivals.map((id) => titles.get(id) ?? id) })}
          </span>
        )}
      </dt>
      <dd>
        {command.id in custom ? (
          <Button
            size="small"
            variant="ghost"
            aria-label={words.restoreFor({ command: command.title })}
            onClick={() => choose(undefined)}
          >
            {words.restore}
          </Button>
        ) : null}
        {isRecording ? (
          <Recorder command={command} onDone={choose} onCancel={() => setIsRecording(false)} />
        ) : (
          <button
            type="button"
            className="shortcuts-keys"
            aria-label={words.keysOf({ command: command.title, keys: keys.map(print) })}
            onClick={() => setIsRecording(true)}
          >
            {keys.length === 0 ? (
              <span className="shortcuts-none">{words.none}</span>
            ) : (
              keys.map((key) => <Kbd key={key} keys={print(key)} />)
            )}
          </button>
        )}
      </dd>
    </div>
  );
}

function ShortcutGroup({ group, query }: { group: string; query: string }) {
  const custom = useStore(useStores().editorSettings, ({ keys }) => keys);
  const found = list.filter((command) => command.group === group && matches(command, custom, query));
  if (found.length === 0) return null;
  const conflicts = keyConflicts(list, custom);
  const rivalsOf = (command: Command): string[] => {
    const sharing = keysOf(command, custom).flatMap((keys) => conflicts.get(keys) ?? []);
    return [...new Set(sharing)].filter((id) => id !== command.id);
  };
  return (
    <section>
      <h3 className="shortcuts-heading">{group}</h3>
      <dl>
        {found.map((command) => (
          <ShortcutRow key={command.id} command={command} custom={custom} rivals={rivalsOf(command)} />
        ))}
      </dl>
    </section>
  );
}

export function ShortcutsDialog() {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'shortcuts');
  const custom = useStore(useStores().editorSettings, ({ keys }) => keys);
  const [query, setQuery] = useState('');
  return (
    <Dialog
      isOpen={isOpen}
      size="wide"
      onClose={() => {
        setQuery('');
        dialogs.getState().close();
      }}
      title={words.title}
      description={words.description}
    >
      <div className="shortcuts">
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        {list.some((command) => matches(command, custom, query)) ? null : (
          <p className="shortcuts-nothing">{words.nothing}</p>
        )}
        {groups.map((group) => (
          <ShortcutGroup key={group} group={group} query={query} />
        ))}
      </div>
    </Dialog>
  );
}
