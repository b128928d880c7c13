/**
 * The reference of the script API: `docs/lua-api.md` for people, and the same as data for editors.
 */
import type { ApiMember, ApiModule } from './api-module.ts';
import { referenceIntro } from './reference-intro.ts';

function heading(module: ApiModule): string {
  return `aip.${module.name}`;
}

function anchor(module: ApiModule): string {
  return heading(module).replaceAll('.', '');
}

function rowOf(module: ApiModule): string {
  const names = module.members.map((member) => `\`${member.name}\``).join(' ');
  return `| [\`${heading(module)}\`](#${anchor(module)}) | ${names} |`;
}

function memberText(module: ApiModule, member: ApiMember): string {
  return [`### ${heading(module)}.${member.name}`, `\`${heading(module)}.${member.signature}\``, member.summary].join(
    '\n\n',
  );
}

function moduleText(module: ApiModule): string {
  const members = module.members.map((member) => memberText(module, member));
  return [`## ${heading(module)}`, module.summary, ...members].join('\n\n');
}

/** All of the page, as markdown, with the modules in their order. */
export function apiReference(modules: readonly ApiModule[]): string {
  const table = ['| module | has |', '|---|---|', ...modules.map(rowOf)].join('\n');
  return `${[referenceIntro.trimEnd(), `## Modules\n\n${table}`, ...modules.map(moduleText)].join('\n\n')}\n`;
}

/** What editors show of the API, as JSON text: by module and member the summary and the signature. */
export function apiData(modules: readonly ApiModule[]): string {
  const data = Object.fromEntries(
    modules.map(({ name, summary, members }) => [
      name,
      { summary, members: Object.fromEntries(members.map((one) => [one.name, shownOf(one)])) },
    ]),
  );
  return `${JSON.stringify(data, null, 2)}\n`;
}

function shownOf({ signature, summary }: ApiMember): { readonly signature: string; readonly summary: string } {
  return { signature, summary };
}
