/**
 * The list of shortcuts, made from the commands; those of the canvas stand below it.
 */
import { useState } from 'react';
import { useStore } from 'zustand';
import { Dialog } from '../ui/dialog.tsx';
import { TextInput } from '../ui/field.tsx';
import { Kbd } from '../ui/kbd.tsx';
import type { Command } from './command.ts';
import { isMac, useCommandContext } from './command-context.tsx';
import { commands } from './commands.ts';
import { printShortcut } from './shortcut.ts';
import './shortcuts-dialog.css';

interface ShortcutRow {
  readonly group: string;
  readonly title: string;
  /** As printed; several that do different things stand side by side. */
  readonly keys: readonly string[];
}

const canvasRows: readonly ShortcutRow[] = [
  { title: 'Next node in a direction', keys: ['←', '→', '↑', '↓'] },
  { title: 'Select what comes before, or after', keys: ['Shift ←', 'Shift →'] },
  { title: 'Select all, or nothing', keys: [isMac ? '⌘A' : 'Ctrl A', 'Esc'] },
  { title: 'Show the selected node in the inspector', keys: ['Enter'] },
  { title: 'Zoom in, out, to 100 %', keys: ['+', '-', '0'] },
  { title: 'Fit everything, or the selection', keys: ['1', '2'] },
  { title: 'Show or hide the map', keys: ['M'] },
].map((row) => ({ ...row, group: 'Canvas' }));

const rows: readonly ShortcutRow[] = [
  ...commands.flatMap(({ group, title, shortcut }: Command) =>
    shortcut === undefined ? [] : [{ group, title, keys: [printShortcut(shortcut, isMac)] }],
  ),
  ...canvasRows,
];

const groups = [...new Set(rows.map(({ group }) => group))];

function matches({ title, keys }: ShortcutRow, query: string): boolean {
  return `${title} ${keys.join(' ')}`.toLowerCase().includes(query.trim().toLowerCase());
}

function ShortcutGroup({ group, query }: { group: string; query: string }) {
  const found = rows.filter((row) => row.group === group && matches(row, query));
  if (found.length === 0) return null;
  return (
    <section>
      <h3 className="shortcuts-heading">{group}</h3>
      <dl>
        {found.map(({ title, keys }) => (
          <div key={title} className="shortcuts-row">
            <dt>{title}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key} keys={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ShortcutsDialog() {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'shortcuts');
  const [query, setQuery] = useState('');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => dialogs.getState().close()}
      title="Keyboard shortcuts"
      description="Single keys work where no text is typed."
    >
      <div className="shortcuts">
        <TextInput
          aria-label="Search shortcuts"
          placeholder="Search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        {groups.map((group) => (
          <ShortcutGroup key={group} group={group} query={query} />
        ))}
      </div>
    </Dialog>
  );
}
