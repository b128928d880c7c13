/**
 * The settings that a team applies on this machine, their file, and any problems.
 */
import { useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import type { TeamSettings } from '../stores/window/preferences.ts';
import { Button } from '../ui/button.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { text } from './text.ts';

const words = text.team;

/** Main selects the package, verifies its signature and asks for confirmation. */
function PackageActions({ isInstalled = false }: { readonly isInstalled?: boolean | undefined }) {
  const { preferences } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const { installTeam, removeTeam } = preferences.getState();
  const act = async (action: () => Promise<string | null>): Promise<void> => setProblem(await action());
  return (
    <div>
      <Button onClick={() => void act(installTeam)}>{words.install}</Button>
      {isInstalled ? <Button onClick={() => void act(removeTeam)}>{words.remove}</Button> : null}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Problems({ team }: { readonly team: TeamSettings }) {
  const { problems, closed, file } = team;
  if (problems.length === 0) return null;
  return (
    <section aria-label={words.problems}>
      <ul className="team-problems">
        {problems.map(({ severity, line, column, message }) => (
          <li
            key={`${line}:${column} ${message}`}
            className={severity === 'error' ? 'settings-problem' : 'settings-note'}
          >
            {file}:{line}:{column} {message}
          </li>
        ))}
      </ul>
      {closed.length === 0 ? null : <p>{words.closed({ limits: closed.join('; ') })}</p>}
    </section>
  );
}

/** Null if no team applies settings. Undefined if this is not known. */
export function TeamTab({ team }: { readonly team: TeamSettings | null | undefined }) {
  if (team === undefined) return <p className="settings-part">{words.loading}</p>;
  if (team === null) {
    return (
      <div className="settings-part">
        <p>{words.none}</p>
        <p className="settings-note">{words.noneNote}</p>
        <PackageActions />
      </div>
    );
  }
  const { name, contact, file, settings, isInstalled } = team;
  return (
    <div className="settings-part">
      <p>
        {withParts(contact === undefined ? words.managed : words.managedWithContact, { team: <b>{name}</b>, contact })}
      </p>
      <code className="settings-file">{file}</code>
      <Problems team={team} />
      <dl className="team-settings">
        {settings.map((setting) => (
          <div key={setting.name}>
            <dt>{setting.name}</dt>
            <dd data-selectable>{setting.value}</dd>
          </div>
        ))}
      </dl>
      <PackageActions isInstalled={isInstalled} />
    </div>
  );
}
