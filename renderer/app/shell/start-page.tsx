/**
 * Shown in a folder without flows and agents while no file is open: ways to begin, and other folders.
 */
import { BookOpen, FolderOpen, PencilLine, Sparkles } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { CommandButton, useCommand } from '../commands/command-context.tsx';
import type { CommandId } from '../commands/commands.ts';
import { useModelProblem } from '../files/create-flow-fields.tsx';
import { RecentFolders } from './recent-folders.tsx';
import { text } from './text.ts';
import './start-page.css';

interface StartCardProps {
  readonly command: CommandId;
  /** The letter that runs the command while nothing else has the focus. */
  readonly letter: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly about: string;
  readonly hint: string;
}

function StartCard({ command, letter, icon, title, about, hint }: StartCardProps) {
  const { run } = useCommand(command);
  const card = useRef<HTMLButtonElement>(null);
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.toUpperCase() !== letter) return;
    const { target } = event;
    const page = card.current?.closest('.start-page');
    const isHere = target === document.body || (target instanceof Node && page?.contains(target) === true);
    if (!isHere || document.querySelector('[role="dialog"]') !== null) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <button ref={card} type="button" className="start-card" aria-keyshortcuts={letter} onClick={run}>
      <span className="start-card-title">
        {icon}
        <b>{title}</b>
        <Kbd keys={letter} />
      </span>
      <span>{about}</span>
      <small>{hint}</small>
    </button>
  );
}

/** @param props.folder the absolute path of the workspace */
export function StartPage({ folder }: { readonly folder: string }) {
  const problem = useModelProblem();
  return (
    <div className="start-page">
      <div className="start-page-content">
        <header>
          <h2>{text.start.title}</h2>
          <p data-selectable title={folder}>
            {text.start.about({ folder: fileNameOf(folder) })}
          </p>
        </header>
        <div className="start-cards">
          <StartCard
            command="file.describe"
            letter="D"
            icon={<Sparkles aria-hidden size={15} />}
            title={text.start.describe}
            about={text.start.describeAbout}
            hint={problem === null ? text.start.describeHint : text.start.noModel}
          />
          <StartCard
            command="file.newFlow"
            letter="N"
            icon={<PencilLine aria-hidden size={15} />}
            title={text.start.draw}
            about={text.start.drawAbout}
            hint={text.start.drawHint}
          />
          <StartCard
            command="examples.gallery"
            letter="E"
            icon={<BookOpen aria-hidden size={15} />}
            title={text.start.example}
            about={text.start.exampleAbout}
            hint={text.start.exampleHint}
          />
        </div>
        <RecentFolders />
        <CommandButton command="workspace.open" variant="ghost" icon={<FolderOpen aria-hidden size={14} />} />
      </div>
    </div>
  );
}
