/**
 * The settings that a team applies on this machine, their file, and any problems.
 */
import { useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import type { TeamSettings } from '../stores/window/preferences.ts';
import { Button } from '../ui/button.tsx';

/** Main selects the package, verifies its signature and asks for confirmation. */
function PackageActions({ isInstalled = false }: { readonly isInstalled?: boolean | undefined }) {
  const { preferences } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const { installTeam, removeTeam } = preferences.getState();
  const act = async (action: () => Promise<string | null>): Promise<void> => setProblem(await action());
  return (
    <div>
      <Button onClick={() => void act(installTeam)}>Install a team's package…</Button>
      {isInstalled ? <Button onClick={() => void act(removeTeam)}>Remove this package…</Button> : null}
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
    <section aria-label="Problems of the team file">
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
      {closed.length === 0 ? null : <p>Until that is mended, this holds: {closed.join('; ')}.</p>}
    </section>
  );
}

/** Null if no team applies settings. Undefined if this is not known. */
export function TeamTab({ team }: { readonly team: TeamSettings | null | undefined }) {
  if (team === undefined) return <p className="settings-part">What a team sets is not known yet.</p>;
  if (team === null) {
    return (
      <div className="settings-part">
        <p>No team sets anything on this machine.</p>
        <p className="settings-note">
          A team can give all who belong to it the same packs, models and rules, with a file or a package of its own.
        </p>
        <PackageActions />
      </div>
    );
  }
  const { name, contact, file, settings, isInstalled } = team;
  return (
    <div className="settings-part">
      <p>
        <b>{name}</b> sets what stands here; it cannot be changed in these settings.
        {contact === undefined ? '' : ` Questions go to ${contact}.`}
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
