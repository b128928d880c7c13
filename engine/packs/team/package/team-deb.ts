/**
 * Creates a team's Debian package, with the team file in `/etc/millrace` and other files in `/usr/share/millrace/team`.
 */
import { debOf } from './deb.ts';
import type { TeamContent } from './team-content.ts';

/** @returns the file name and the bytes */
export function teamDeb({ rules, slug, version, teamFile, files }: TeamContent): {
  readonly name: string;
  readonly content: Buffer;
} {
  const { name, contact } = rules.team;
  const configuration = 'etc/millrace/team.yaml';
  const tree = new Map<string, Uint8Array>([[configuration, teamFile]]);
  for (const [path, bytes] of files) tree.set(`usr/share/millrace/team/${path}`, bytes);
  const mail = contact !== undefined && /^[^\s@<>]+@[^\s@<>]+$/.test(contact) ? contact : 'root@localhost';
  const content = debOf({
    control: {
      Package: `millrace-team-${slug}`,
      Version: version,
      Architecture: 'all',
      Maintainer: `${name.replace(/[<>,]/g, ' ')} <${mail}>`,
      Depends: 'millrace',
      // Only one team can be installed, because all teams use the same file.
      Provides: 'millrace-team',
      Conflicts: 'millrace-team',
      Replaces: 'millrace-team',
      Section: 'misc',
      Priority: 'optional',
      Description: `Millrace settings and packs of ${name}`,
    },
    files: tree,
    configuration: [configuration],
  });
  return { name: `millrace-team-${slug}_${version}_all.deb`, content };
}
